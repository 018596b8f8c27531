// SPDX-License-Identifier: Apache-2.0
// The one limit of time that tests have.

package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. It is no bound of anything else: the time counts in which a test waits for its turn, and
    /// that is as long as the machine is busy.
    package static var againstHanging: Self { .timeLimit(.minutes(20)) }
}
