#pragma once
#include <curl/curl.h>

// libcurl takes the values of its options as variable arguments, which Swift cannot pass.

typedef size_t (*madang_curl_take)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*madang_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*madang_curl_progress)(void *context, curl_off_t expected, curl_off_t got, curl_off_t up, curl_off_t gone);

static inline CURLcode madang_curl_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// The text is copied.
static inline CURLcode madang_curl_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// The bytes are copied.
static inline CURLcode madang_curl_body(CURL *handle, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes != NULL ? bytes : "");
}

/// The list must live as long as the handle.
static inline CURLcode madang_curl_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

/// One context for every callback.
static inline CURLcode madang_curl_callbacks(CURL *handle, void *context, madang_curl_open open, madang_curl_take header,
                                             madang_curl_take body, madang_curl_progress progress) {
    CURLoption contexts[] = {CURLOPT_OPENSOCKETDATA, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA, CURLOPT_PRIVATE};
    for (size_t index = 0; index < sizeof contexts / sizeof *contexts; index++) {
        CURLcode code = curl_easy_setopt(handle, contexts[index], context);
        if (code != CURLE_OK) return code;
    }
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}

static inline CURLcode madang_curl_status(CURL *handle, long *status) {
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
}

/// The text belongs to the handle.
static inline const char *madang_curl_final_url(CURL *handle) {
    char *url = NULL;
    return curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url) == CURLE_OK ? url : NULL;
}

static inline CURLMcode madang_curl_multi_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The bytes of the socket address, which are more than its declared type has.
static inline const void *madang_curl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline CURLcode madang_curl_result(const CURLMsg *message) { return message->data.result; }

/// Of a letter: what is given is read from one side, replies of the server go to the other.
static inline CURLcode madang_curl_letter(CURL *handle, void *context, long long size, madang_curl_take give, madang_curl_take reply,
                                          madang_curl_progress progress) {
    CURLoption contexts[] = {CURLOPT_READDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA};
    for (size_t index = 0; index < sizeof contexts / sizeof *contexts; index++) {
        CURLcode code = curl_easy_setopt(handle, contexts[index], context);
        if (code != CURLE_OK) return code;
    }
    CURLcode code = curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)size);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, give);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, reply);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}
