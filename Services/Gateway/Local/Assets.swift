// SPDX-License-Identifier: Apache-2.0
// The pictures that stand in for those that nobody has chosen yet.

import NIOCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Small PNG files, part of the executable.
enum Assets {
    static let files: [String: ByteBuffer] = [
        "avatar.png": png(avatar), "header.png": png(header), "thumbnail.png": png(thumbnail),
    ]

    private static func png(_ text: String) -> ByteBuffer { ByteBuffer(bytes: Data(base64Encoded: text) ?? Data()) }

    private static let avatar: String = [
        "iVBORw0KGgoAAAANSUhEUgAAAIAAAACABAMAAAAxEHz4AAAADFBMVEX06tXZe08+XEv///96JZ/eAAAA+klEQVR42u2WwQ3DMAwD",
        "00zQbFB4/yELFAhQJ5ZEiQ+3Cfm/A6WHrWVRFEVRlBtl++RZxR/bHpavGb75kqHjC3voCxQqHPh0hWOBdIUTn6xwLpCsMOBzFVjB",
        "aILUDLRgyGdmmC4YryCxBAkkkOAy78EPPKrzPxb+b6R/Z/4+oC8U/kairzT+TqQvVf5W5q91RblI1raHxGuKns8b2ikvks8ZWuMM",
        "61jQWB42mDw4hF0Aq+DxkMHlgSH8AkCFgA8rRAXCCrQg5IMZ4gJBBYD3K7ACZAJ3Boj3KrACbAJnBloA8vYM0wXoCswl0AKYt2b4",
        "fwG+Q2OLEtxY8AYt7gF8a6NbsgAAAABJRU5ErkJggg==",
    ].joined()

    private static let header: String = [
        "iVBORw0KGgoAAAANSUhEUgAAAXcAAAB9BAMAAACrAj4fAAAADFBMVEX06tXZe08+XEv///96JZ/eAAABk0lEQVR42u3agW2DQBSD",
        "YXoTNBs8ef8h24g0CXDQAOF4v2JP8MkyoAO6znEcx3Ecx3Ecx3Gcjfm69CHbifrLU76xvfO6H9ph+pEdNZxx8ajqJ3ZQ9dPiQdVX",
        "7Jjqa8Vjqkfjq3bIburFQ6o3PtfkIaMn4+dWg9iN8cYbb7zxxhtvvPHG+zACxvsAbvz7Rg950+oXral2g/k0gv4yQvsmVfSbheqT",
        "y/vMVJ+3eA1SrR5Qe5+Y6hm1P8onjEbVREf430b6X0+z34afOhJXX8TVL9ufH7hAe2a9xNVLXH0RV/+qPaVe4uq1JkEdTUK91oZs",
        "Xy6/RN7RLJbfelbb7BV+OeGa0I7UGwiE/ey7USHjdQheWPsVH1T7Fd9AX47DC2rv8YEczQ1/sF7H4oW0/+G11XOm/Y6P7U3GWfY7",
        "/mX9yjODmuC1b79t75ETvHber6Nx7UO8dl96TWsf4eMNj8lmrY/xi3olzAA/ry/Kj5/TSwR89aotouCn5Usc/Kh8iYV/tK/ciexA",
        "44033njjjTfe+I/B/wDG8IckAcsUiQAAAABJRU5ErkJggg==",
    ].joined()

    private static let thumbnail: String = [
        "iVBORw0KGgoAAAANSUhEUgAAAUAAAAC0BAMAAAAXyugiAAAADFBMVEX06tXZe08+XEv///96JZ/eAAABNklEQVR42u3RiU0EMRRE",
        "wYUImBQIAfLPDSHOWeawLfBvtNURlF5fLmZmZmZmZmZmZmZmZnYTu1vCgcvyEB5wWcIDZid8DZic8M0XLHz3xZ78ETA24acvNOFX",
        "wMyE332RwpUv8OR1wMCEV764hNcB0xL+9IUJN3xRJ28FjEq46QtKuB0wJ+GeL0a46ws5eT9gSMIDX0TCo4AJCY99AcITX/nJZwHL",
        "E576ihOeB6xN2OIrFTb5Ck9uC1iYsNFXlrA1YFXCdl+RsMNXcnJPwJKEXb6ChH0B5yfs9U0Xdvsmn9wfcHLCAd/UhCMBZyYc800U",
        "DvqmnTwacFrCYd/fJ7x//I0BAgICAgICAgICAgLeIPB5tSdAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEAzMzMzMzMzM7P/uhfQLa4v",
        "mTnvvQAAAABJRU5ErkJggg==",
    ].joined()
}
