import Crypto
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
