#pragma once
#include <libxml/HTMLparser.h>

/// Reads UTF-8 as HTML: no network, no entities of others, nothing printed, and no more than libxml2's own depth of elements.
/// The document is released with `xmlFreeDoc`; NULL where there is none.
static inline htmlDocPtr madang_read_html(const char *bytes, int count) {
    return htmlReadMemory(bytes, count, NULL, "UTF-8",
                          HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
}

static inline void madang_release_text(xmlChar *text) { xmlFree(text); }
