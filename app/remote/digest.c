/* This file alone knows libcrypto. */
#include "app/remote/digest.h"

#ifdef FROTH_WEBSOCKETS

#include "late/crypto.h"

bool app_remote_digest(const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST])
{
    unsigned length = 0;
    return base_late_load(&late_crypto) == NULL &&
           EVP_Digest(bytes, size, digest, &length, EVP_sha256(), NULL) == 1 &&
           length == APP_GATE_DIGEST;
}

#else
bool app_remote_digest(const void *bytes, size_t size, uint8_t digest[APP_GATE_DIGEST])
{
    (void)bytes;
    (void)size;
    (void)digest;
    return false;
}

#endif
