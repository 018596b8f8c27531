#pragma once
#include <vips/vips.h>

// libvips takes its options as variable arguments, which Swift cannot pass.

/// Upright, at most so large, and in sRGB if the file says what its colours are.
static inline int madang_vips_shrunk(const char *path, VipsImage **out, int width, int height, gboolean has_profile) {
    if (!has_profile)
        return vips_thumbnail(path, out, width, "height", height, "size", VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    return vips_thumbnail(path, out, width, "height", height, "size", VIPS_SIZE_DOWN, "export_profile", "srgb", "fail_on",
                          VIPS_FAIL_ON_ERROR, NULL);
}

/// At most so large.
static inline int madang_vips_smaller(VipsImage *in, VipsImage **out, int width, int height) {
    return vips_thumbnail_image(in, out, width, "height", height, "size", VIPS_SIZE_DOWN, NULL);
}

/// Exactly so large.
static inline int madang_vips_sized(VipsImage *in, VipsImage **out, int width, int height) {
    return vips_thumbnail_image(in, out, width, "height", height, "size", VIPS_SIZE_FORCE, NULL);
}

static inline int madang_vips_header(const char *path, VipsImage **out) {
    *out = vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return *out == NULL ? -1 : 0;
}

/// All frames, one below the other.
static inline int madang_vips_gif_frames(const char *path, VipsImage **out) {
    return vips_gifload(path, out, "n", -1, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

/// All frames, one below the other.
static inline int madang_vips_webp_frames(const char *path, VipsImage **out) {
    return vips_webpload(path, out, "n", -1, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

static inline int madang_vips_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int madang_vips_bytes(VipsImage *in, VipsImage **out) { return vips_cast_uchar(in, out, NULL); }

static inline int madang_vips_area(VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
    return vips_extract_area(in, out, left, top, width, height, NULL);
}

/// Without transparency, on white.
static inline int madang_vips_opaque(VipsImage *in, VipsImage **out) {
    double white[] = {255, 255, 255};
    VipsArrayDouble *background = vips_array_double_new(white, 3);
    int code = vips_flatten(in, out, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return code;
}

static inline int madang_vips_jpeg(VipsImage *in, const char *path, int quality) {
    return vips_jpegsave(in, path, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, NULL);
}

static inline int madang_vips_png(VipsImage *in, const char *path) { return vips_pngsave(in, path, "strip", TRUE, NULL); }

/// The bytes are released with `free`.
static inline int madang_vips_webp(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_webpsave_buffer(in, bytes, count, "Q", quality, "strip", TRUE, NULL);
}

/// Of frames one below the other. `delays` in milliseconds. The bytes are released with `free`.
static inline int madang_vips_animated_webp(VipsImage *in, void **bytes, size_t *size, int height, const int *delays, int count) {
    VipsImage *copy;
    if (vips_copy(in, &copy, NULL) != 0) return -1;
    vips_image_set_int(copy, VIPS_META_PAGE_HEIGHT, height);
    vips_image_set_int(copy, "loop", 0);
    vips_image_set_array_int(copy, "delay", delays, count);
    int code = vips_webpsave_buffer(copy, bytes, size, "Q", 70, "effort", 2, "page_height", height, NULL);
    g_object_unref(copy);
    return code;
}

/// Of frames one below the other. `delays` in milliseconds, `bits` of colour, `error` between frames that counts as none. The bytes are
/// released with `free`.
static inline int madang_vips_gif(VipsImage *in, void **bytes, size_t *size, int height, const int *delays, int count, int bits,
                                  double error) {
    VipsImage *copy;
    if (vips_copy(in, &copy, NULL) != 0) return -1;
    vips_image_set_int(copy, VIPS_META_PAGE_HEIGHT, height);
    vips_image_set_int(copy, "loop", 0);
    vips_image_set_array_int(copy, "delay", delays, count);
    int code = vips_gifsave_buffer(copy, bytes, size, "bitdepth", bits, "dither", bits < 8 ? 0.0 : 1.0, "effort", 4,
                                   "interframe_maxerror", error, NULL);
    g_object_unref(copy);
    return code;
}

/// The least of the fourth band, which is how transparent the most transparent point is.
static inline int madang_vips_least_alpha(VipsImage *in, double *least) {
    VipsImage *alpha;
    if (vips_extract_band(in, &alpha, 3, NULL) != 0) return -1;
    int code = vips_min(alpha, least, NULL);
    g_object_unref(alpha);
    return code;
}

/// The first three bands.
static inline int madang_vips_colours(VipsImage *in, VipsImage **out) { return vips_extract_band(in, out, 0, "n", 3, NULL); }

static inline int madang_vips_start(void) { return VIPS_INIT("media"); }

static inline void madang_vips_release(VipsImage *image) { g_object_unref(image); }
