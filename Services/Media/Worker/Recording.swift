// SPDX-License-Identifier: Apache-2.0
// Video and sound.

import MediaWork

/// Makes an MP4 and stills of a film, or one file of a sound.
struct Recording {
    private let order: WorkOrder
    private let content: Content
    private let input: FFmpeg.Input
    private var files: Renditions

    init(_ order: WorkOrder, _ content: Content, format: String) {
        self.order = order
        self.content = content
        input = FFmpeg.Input(path: order.input, format: format)
        files = Renditions(in: order.directory)
    }

    func made() throws -> Made {
        let probe = try FFmpeg.probe(input)
        if let video = probe.video { return try film(probe, video) }
        if let audio = probe.audio { return try sound(probe, audio) }
        throw WorkReport.Refusal.unsupported
    }

    private func film(_ probe: Probe, _ video: Probe.Stream) throws -> Made {
        guard order.purpose == .attachment || order.purpose == .gif,
            FFmpeg.videoCodecs.contains(video.codec_name ?? "")
        else { throw WorkReport.Refusal.unsupported }
        guard let size = video.size else { throw WorkReport.Refusal.damaged }
        guard size.width <= 16_384, size.height <= 16_384, size.width * size.height <= order.limits.videoPixels,
            probe.duration ?? 0 <= order.limits.videoSeconds
        else { throw WorkReport.Refusal.tooLarge }
        if order.purpose == .gif { return try gif(of: video, size) }
        var files = files
        let path = files.path("original.mp4")
        let wide = size.width >= size.height
        let target = size.within(wide ? 1920 : 1080, wide ? 1080 : 1920).even
        let isReady =
            video.codec_name == "h264" && ["yuv420p", "yuvj420p"].contains(video.pix_fmt ?? "") && target == size
        let picture =
            isReady
            // Without the messages between the frames (NAL units of type 6), which may say anything.
            ? ["-c:v", "copy", "-bsf:v", "filter_units=remove_types=6"]
            : ["-vf", "scale=\(target.width):\(target.height)", "-fpsmax", "60"] + FFmpeg.h264
        var sound = ["-an"]
        if let audio = probe.audio, FFmpeg.audioCodecs.contains(audio.codec_name ?? "") {
            sound = ["-map", "0:\(audio.index)"] + (audio.codec_name == "aac" ? ["-c:a", "copy"] : Self.aac)
        }
        try FFmpeg.convert(
            input,
            ["-map", "0:\(video.index)"] + picture + sound + ["-t", "\(order.limits.videoSeconds)"] + FFmpeg.nameless
                + ["-movflags", "+faststart", "-f", "mp4", "file:\(path)"]
        )

        // From here on the file is our own.
        let made = FFmpeg.Input(path: path, format: "mov")
        let result = try FFmpeg.probe(made)
        guard let shown = result.video?.size, let duration = result.duration else { throw WorkReport.Refusal.damaged }
        try files.add(
            "original.mp4",
            as: "original",
            mime: "video/mp4",
            width: shown.width,
            height: shown.height,
            duration: duration
        )
        let poster = try poster(of: made, shown.within(1280, 1280).even, at: min(1, duration / 10))
        try files.addPreviews(of: poster)
        let look = try Look(of: poster)
        return Made(
            kind: .video,
            mime: content.mime,
            width: shown.width,
            height: shown.height,
            duration: duration,
            blurhash: look.blurhash,
            colour: look.colour,
            renditions: files.made
        )
    }

    /// What the first seconds of a film are as a GIF, which is then looked at like any other.
    private func gif(of video: Probe.Stream, _ size: Size) throws -> Made {
        let small = size.within(Self.gifSide, Self.gifSide)
        let filter =
            "fps=15,scale=\(small.width):\(small.height),split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse"
        var order = order
        order.input = files.path("frames.gif")
        let output = ["-t", "\(Self.gifSeconds)"] + FFmpeg.nameless + ["-f", "gif", "file:\(order.input)"]
        try FFmpeg.convert(input, ["-map", "0:\(video.index)", "-an", "-vf", filter] + output)
        Vips.allow(.gif)
        let header = try Vips.header(order.input)
        var made = try Animation(order: order, content: .gif, header: header, moves: header.frames > 1).made()
        made.mime = content.mime
        return made
    }

    /// GIPHY takes what lasts so long.
    private static let gifSeconds = 15
    private static let gifSide = 480

    /// A frame from a little after the beginning, which is often black.
    private func poster(of film: FFmpeg.Input, _ size: Size, at seconds: Double) throws -> Picture {
        for seconds in [seconds, 0] {
            let points = try FFmpeg.convert(
                film,
                seek: seconds,
                [
                    "-map", "0:v:0", "-frames:v", "1", "-vf", "scale=\(size.width):\(size.height)", "-pix_fmt", "rgb24",
                    "-f",
                    "rawvideo", "pipe:1",
                ]
            )
            if points.count == size.width * size.height * 3 { return try Picture(points: points, size) }
        }
        throw WorkReport.Refusal.damaged
    }

    private func sound(_ probe: Probe, _ audio: Probe.Stream) throws -> Made {
        guard order.purpose == .attachment, FFmpeg.audioCodecs.contains(audio.codec_name ?? "") else {
            throw WorkReport.Refusal.unsupported
        }
        guard probe.duration ?? 0 <= order.limits.audioSeconds else { throw WorkReport.Refusal.tooLarge }
        let isMP3 = content == .mp3 && audio.codec_name == "mp3"
        let (file, mime) = isMP3 ? ("original.mp3", "audio/mpeg") : ("original.m4a", "audio/mp4")
        var files = files
        let coding = isMP3 || audio.codec_name == "aac" ? ["-c:a", "copy"] : Self.aac
        let container =
            isMP3 ? ["-id3v2_version", "0", "-f", "mp3"] : ["-movflags", "+faststart", "-f", "ipod"]
        try FFmpeg.convert(
            input,
            ["-map", "0:\(audio.index)", "-vn"] + coding + ["-t", "\(order.limits.audioSeconds)"] + FFmpeg.nameless
                + container + ["file:\(files.path(file))"]
        )
        let result = try FFmpeg.probe(FFmpeg.Input(path: files.path(file), format: isMP3 ? "mp3" : "mov"))
        guard let duration = result.duration else { throw WorkReport.Refusal.damaged }
        try files.add(file, as: "original", mime: mime, duration: duration)
        return Made(kind: .audio, mime: mimeOfSound, duration: duration, renditions: files.made)
    }

    /// A film's container that holds nothing but sound.
    private var mimeOfSound: String {
        switch content {
        case .mp4, .quickTime: Content.m4a.mime
        case .webm: "audio/webm"
        default: content.mime
        }
    }

    private static let aac = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]
}

extension Content {
    /// The reader of ffmpeg's for it; none for pictures, which are libvips'.
    var demuxer: String? {
        switch self {
        case .mp4, .quickTime, .m4a: "mov"
        case .webm: "matroska"
        case .mp3: "mp3"
        case .ogg: "ogg"
        case .jpeg, .png, .webp, .gif, .heic, .avif: nil
        }
    }
}
