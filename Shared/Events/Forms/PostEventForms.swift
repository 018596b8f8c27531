// SPDX-License-Identifier: Apache-2.0
// How what posts tells most is written as JSON and read again.

public import JSON

extension PostEvent: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("author", author)
            json.member("post", post)
            json.optional("quiet", quiet)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        author = try json.member("author")
        post = try json.member("post")
        quiet = try json.optional("quiet")
        try json.endObject()
    }
}

extension PostLiked: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("actor", actor)
            json.member("author", author)
            json.member("liked_at", likedAt)
            json.member("post", post)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        actor = try json.member("actor")
        author = try json.member("author")
        likedAt = try json.member("liked_at")
        post = try json.member("post")
        try json.endObject()
    }
}

extension PostUnliked: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("actor_id", actorID)
            json.member("post_id", postID)
            json.member("subject_version", subjectVersion)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        actorID = try json.member("actor_id")
        postID = try json.member("post_id")
        subjectVersion = try json.member("subject_version")
        try json.endObject()
    }
}

extension PostReposted: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("actor", actor)
            json.member("author", author)
            json.member("boost_id", boostID)
            json.member("boosted_at", boostedAt)
            json.member("post", post)
            json.member("visibility", visibility)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        actor = try json.member("actor")
        author = try json.member("author")
        boostID = try json.member("boost_id")
        boostedAt = try json.member("boosted_at")
        post = try json.member("post")
        visibility = try json.member("visibility")
        try json.endObject()
    }
}

extension AccountFollowed: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("actor", actor)
            json.member("followed_at", followedAt)
            json.member("subject_version", subjectVersion)
            json.member("target_id", targetID)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        actor = try json.member("actor")
        followedAt = try json.member("followed_at")
        subjectVersion = try json.member("subject_version")
        targetID = try json.member("target_id")
        try json.endObject()
    }
}

extension PairEvent: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("actor_id", actorID)
            json.member("subject_version", subjectVersion)
            json.member("target_id", targetID)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        actorID = try json.member("actor_id")
        subjectVersion = try json.member("subject_version")
        targetID = try json.member("target_id")
        try json.endObject()
    }
}

extension TimelineUpdated: PlainEvent {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("post_id", postID)
            json.member("subject_version", subjectVersion)
            json.member("update", update)
        }
    }

    public init(from json: inout JSONFormReader) throws(JSONFormReader.Mismatch) {
        try json.beginObject()
        postID = try json.member("post_id")
        subjectVersion = try json.member("subject_version")
        update = try json.member("update")
        try json.endObject()
    }
}
