// SPDX-License-Identifier: Apache-2.0
// How many books somebody means to read.

import Domain

/// Goals of a year and of a month.
public enum GoalEndpoint: String, EndpointGroup {
    case listGoals, putGoal, deleteGoal

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .listGoals: .get("/api/v1/shelf/goals", .account("read:library"), answer: "[ReadingGoal]")
        case .putGoal: .put("/api/v1/shelf/goals/:period", .account("write:library"), answer: "ReadingGoal")
        case .deleteGoal: .delete("/api/v1/shelf/goals/:period", .account("write:library"), answer: "any")
        }
    }
}
