// SPDX-License-Identifier: Apache-2.0
// URLs as libcurl reads them, so that nobody's reading differs from that of who connects.

internal import CCurl

public enum OutboundURL {
    /// A link of a page, which may be relative, as a whole URL. Nil for what is none or is not of the web.
    public static func resolved(_ link: String, from base: String) -> String? {
        let parsed = curl_url()
        defer { curl_url_cleanup(parsed) }
        guard !link.utf8.contains(0), !base.utf8.contains(0), curl_url_set(parsed, CURLUPART_URL, base, 0) == CURLUE_OK,
            curl_url_set(parsed, CURLUPART_URL, link, UInt32(CURLU_URLENCODE)) == CURLUE_OK,
            let url = part(CURLUPART_URL, of: parsed), url.hasPrefix("http://") || url.hasPrefix("https://")
        else { return nil }
        return url
    }

    /// Host and port; nil for what is no URL of the web without a user.
    public static func endpoint(of url: String) -> (host: String, port: Int)? {
        let parsed = curl_url()
        defer { curl_url_cleanup(parsed) }
        guard !url.utf8.contains(0), curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = part(CURLUPART_SCHEME, of: parsed)?.lowercased(), scheme == "http" || scheme == "https",
            part(CURLUPART_USER, of: parsed) == nil, part(CURLUPART_PASSWORD, of: parsed) == nil,
            let host = part(CURLUPART_HOST, of: parsed),
            let port = part(CURLUPART_PORT, of: parsed, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { return nil }
        return (host, port)
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer?, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
