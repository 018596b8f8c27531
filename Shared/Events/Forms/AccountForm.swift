// SPDX-License-Identifier: Apache-2.0
// How an account is written as JSON and read again.

public import JSON

extension AccountSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("bot", bot)
            json.member("created_at", createdAt)
            json.member("discoverable", discoverable)
            json.member("display_name", displayName)
            json.optional("extras", extras)
            json.member("fields", fields)
            json.member("followers_count", followersCount)
            json.member("following_count", followingCount)
            json.member("id", id)
            json.optional("last_post_at", lastPostAt)
            json.member("locked", locked)
            json.member("note", note)
            json.member("posts_count", postsCount)
            json.member("username", username)
            json.member("version", version)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        bot = try json.member("bot")
        createdAt = try json.member("created_at")
        discoverable = try json.member("discoverable")
        displayName = try json.member("display_name")
        extras = try json.optional("extras")
        fields = try json.member("fields")
        followersCount = try json.member("followers_count")
        followingCount = try json.member("following_count")
        id = try json.member("id")
        lastPostAt = try json.optional("last_post_at")
        locked = try json.member("locked")
        note = try json.member("note")
        postsCount = try json.member("posts_count")
        username = try json.member("username")
        version = try json.member("version")
        try json.endObject()
    }
}

extension ProfileField: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("value", value)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        name = try json.member("name")
        value = try json.member("value")
        try json.endObject()
    }
}

extension PictureSnapshot: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("file", file)
            json.member("id", id)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        file = try json.member("file")
        id = try json.member("id")
        try json.endObject()
    }
}

extension ProfileExtras: JSONForm {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.optional("avatar", avatar)
            json.optional("avatar_description", avatarDescription)
            json.optional("header", header)
            json.optional("header_description", headerDescription)
            json.optional("hide_collections", hideCollections)
            json.optional("indexable", indexable)
            json.optional("native_languages", nativeLanguages)
            json.optional("restrictions", restrictions)
            json.optional("show_favourites", showFavourites)
            json.optional("target_languages", targetLanguages)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        avatar = try json.optional("avatar")
        avatarDescription = try json.optional("avatar_description")
        header = try json.optional("header")
        headerDescription = try json.optional("header_description")
        hideCollections = try json.optional("hide_collections")
        indexable = try json.optional("indexable")
        nativeLanguages = try json.optional("native_languages")
        restrictions = try json.optional("restrictions")
        showFavourites = try json.optional("show_favourites")
        targetLanguages = try json.optional("target_languages")
        try json.endObject()
    }
}
