// SPDX-License-Identifier: Apache-2.0
// What clients ask first: who this server is, and its limits (Mastodon's instance entities, NodeInfo).

import Calls
import Domain
import Surface
import Views
import Web

struct InstanceView {
    /// Mastodon's version whose API this is, in front of our own. From 4.3 on Ice Cubes asks for grouped notifications;
    /// TootSDK reads it from NodeInfo, as a semantic version.
    static let version = "4.2.0+madang-0.1.0"

    private static let mostCharacters = 500
    private static let mostFields = 4
    private static let mostFieldCharacters = 255
    /// Of what is said of a picture of a profile.
    private static let mostPictureCharacters = 150

    let config: GatewayConfig
    let statistics: Statistics
    let published: PublishedSite
    let now: Timestamp

    private var site: Site { config.site }
    private var rulesInForce: SiteTexts { published.rules?.texts ?? config.rules }
    private var isOpen: Bool { config.registrations == .open }
    private var contact: String { config.contact.isEmpty ? "admin@\(host)" : config.contact }
    private var host: String { site.domain.split(separator: ":").first.map(String.init) ?? site.domain }

    private var streaming: String {
        site.origin.hasPrefix("https://") ? "wss://" + site.origin.dropFirst(8) : "ws://" + site.origin.dropFirst(7)
    }

    func v2() -> [UInt8] {
        return JSONWriter.object(capacity: 3072) { json in
            json.member("domain", site.domain)
            json.member("title", config.title)
            json.member("version", InstanceView.version)
            json.member("source_url", site.origin)
            json.member("description", config.description)
            json.object("usage") { $0.object("users") { $0.member("active_month", statistics.activeMonth) } }
            json.object("thumbnail") { json in
                json.member("url", "\(site.origin)/assets/thumbnail.png")
                json.null("blurhash")
                json.object("versions") { $0.member("@1x", "\(site.origin)/assets/thumbnail.png") }
            }
            json.array("icon") {
                $0.object { json in
                    json.member("src", "\(site.origin)/assets/avatar.png")
                    json.member("size", "128x128")
                }
            }
            json.member("languages", ["en", "ko", "ja"])
            json.object("configuration") { json in
                json.object("urls") { json in
                    json.member("streaming", streaming)
                    json.null("status")
                    json.member("about", site.origin)
                    json.member("privacy_policy", site.origin + GatewayEndpoint.privacyPage.path)
                    json.member(
                        "terms_of_service",
                        published.terms.map { _ in site.origin + GatewayEndpoint.termsPage.path }
                    )
                }
                if let key = config.vapidKey { json.object("vapid") { $0.member("public_key", key) } }
                limits(&json, isV2: true)
                json.object("translation") { $0.member("enabled", false) }
                json.member("limited_federation", false)
            }
            json.object("registrations") { json in
                json.member("enabled", isOpen)
                json.member("approval_required", false)
                json.member("reason_required", false)
                json.null("message")
                json.null("min_age")
                json.null("url")
            }
            // From 2 on clients would ask for grouped notifications.
            json.object("api_versions") { $0.member("mastodon", 1) }
            json.object("contact") { json in
                json.member("email", contact)
                json.null("account")
            }
            json.name("rules")
            rulesInForce.writeRules(to: &json)
        }
    }

    func v1() -> [UInt8] {
        return JSONWriter.object(capacity: 2048) { json in
            json.member("uri", site.domain)
            json.member("title", config.title)
            json.member("short_description", config.description)
            json.member("description", config.description)
            json.member("email", contact)
            json.member("version", InstanceView.version)
            json.object("urls") { $0.member("streaming_api", streaming) }
            json.object("stats") { json in
                json.member("user_count", statistics.accounts)
                json.member("status_count", statistics.posts)
                json.member("domain_count", 1)
            }
            json.member("thumbnail", "\(site.origin)/assets/thumbnail.png")
            json.member("languages", ["en", "ko", "ja"])
            json.member("registrations", isOpen)
            json.member("approval_required", false)
            json.member("invites_enabled", false)
            json.object("configuration") { limits(&$0, isV2: false) }
            // Where Pleroma-FE and others look for the limits.
            json.member("max_toot_chars", InstanceView.mostCharacters)
            json.object("pleroma") { json in
                json.object("metadata") { json in
                    json.member("account_activation_required", false)
                    json.member("birthday_required", false)
                    json.member("features", [String]())
                    json.name("fields_limits")
                    fieldLimits(&json)
                    json.member("post_formats", ["text/plain"])
                }
            }
            json.null("contact_account")
            json.name("rules")
            rulesInForce.writeRules(to: &json)
        }
    }

    private func limits(_ json: inout JSONWriter, isV2: Bool) {
        json.object("accounts") { json in
            json.member("max_featured_tags", 0)
            if isV2 {
                json.member("max_pinned_statuses", 5)
                json.member("max_display_name_length", 30)
                json.member("max_note_length", 500)
                json.member("max_avatar_description_length", InstanceView.mostPictureCharacters)
                json.member("max_header_description_length", InstanceView.mostPictureCharacters)
                json.member("max_profile_fields", InstanceView.mostFields)
                json.member("profile_field_name_limit", InstanceView.mostFieldCharacters)
                json.member("profile_field_value_limit", InstanceView.mostFieldCharacters)
            }
        }
        json.object("statuses") { json in
            json.member("max_characters", InstanceView.mostCharacters)
            json.member("max_media_attachments", MediaLimits.attachments)
            json.member("characters_reserved_per_url", 23)
        }
        json.object("media_attachments") { json in
            json.member("supported_mime_types", MediaLimits.types)
            json.member("image_size_limit", config.mediaLimits.image)
            json.member("image_matrix_limit", MediaLimits.imageMatrix)
            json.member("video_size_limit", config.mediaLimits.video)
            json.member("video_frame_rate_limit", MediaLimits.frameRate)
            json.member("video_matrix_limit", MediaLimits.videoMatrix)
            if isV2 { json.member("description_limit", MediaLimits.description) }
        }
        // There are none; but without these numbers Ice Cubes takes nothing of the whole answer, its version included.
        json.object("polls") { json in
            for name: StaticString in ["max_options", "max_characters_per_option", "min_expiration", "max_expiration"] {
                json.member(name, 0)
            }
        }
    }

    /// Twelve weeks; counts by week are not kept.
    func activity() -> [UInt8] {
        var json = JSONWriter()
        json.array { _ in }
        return json.bytes
    }

    func extendedDescription() -> [UInt8] {
        return JSONWriter.object { json in
            json.member("updated_at", config.read.rfc3339)
            json.member("content", "<p>\(SiteText.escaped(config.description))</p>")
        }
    }

    func rules() -> [UInt8] {
        var json = JSONWriter()
        rulesInForce.writeRules(to: &json)
        return json.bytes
    }

    func privacyPolicy(_ language: Language) -> [UInt8] {
        return JSONWriter.object { json in
            // The operator's text is that of the settings; the standard one has a date of its own.
            let standard = Timestamp(milliseconds: 1_767_225_600_000)
            let written = published.privacy?.published ?? (config.privacyPolicy.isOwn ? config.read : standard)
            json.member("updated_at", written.rfc3339)
            json.member("content", (published.privacy?.texts ?? config.privacyPolicy).text(language).html)
        }
    }

    func nodeInfoLinks() -> [UInt8] {
        return JSONWriter.object { json in
            json.array("links") {
                $0.object { json in
                    json.member("rel", "http://nodeinfo.diaspora.software/ns/schema/2.0")
                    json.member("href", "\(site.origin)/nodeinfo/2.0")
                }
            }
        }
    }

    func nodeInfo() -> [UInt8] {
        return JSONWriter.object { json in
            json.member("version", "2.0")
            json.object("software") { json in
                json.member("name", "madang")
                json.member("version", InstanceView.version)
            }
            json.array("protocols") { _ in }
            json.object("services") { json in
                json.array("inbound") { _ in }
                json.array("outbound") { _ in }
            }
            json.member("openRegistrations", isOpen)
            json.object("usage") { json in
                json.object("users") { json in
                    json.member("total", statistics.accounts)
                    json.member("activeMonth", statistics.activeMonth)
                }
                json.member("localPosts", statistics.posts)
            }
            json.object("metadata") { metadata(&$0) }
        }
    }

    /// What Pleroma-FE reads at its start; where one of these is missing it takes nothing of the rest.
    private func metadata(_ json: inout JSONWriter) {
        json.member("nodeName", config.title)
        json.member("nodeDescription", config.description)
        json.member("features", [String]())
        json.member("postFormats", ["text/plain"])
        json.member("restrictedNicknames", [String]())
        json.member("staffAccounts", [String]())
        json.member("accountActivationRequired", false)
        json.member("private", false)
        json.name("fieldsLimits")
        fieldLimits(&json)
        // Nothing can be uploaded.
        json.object("uploadLimits") { _ in }
        json.object("suggestions") { $0.member("enabled", false) }
        json.object("federation") { $0.member("enabled", false) }
    }

    private func fieldLimits(_ json: inout JSONWriter) {
        json.object { json in
            json.member("max_fields", InstanceView.mostFields)
            json.member("max_remote_fields", InstanceView.mostFields)
            json.member("name_length", InstanceView.mostFieldCharacters)
            json.member("value_length", InstanceView.mostFieldCharacters)
        }
    }
}
