// SPDX-License-Identifier: Apache-2.0
// The board of projects, and the applications to them.

import Surface
import Web

extension Routes {
    static let projects: [Route<Dependencies>] =
        Route.all(ProjectEndpoint.self, run) + Route.all(ApplicationEndpoint.self, run)

    private static func run(_ endpoint: ProjectEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listProjects: ListProjects.run
        case .createProject: CreateProject.run
        case .listBookmarkedProjects: ListBookmarkedProjects.run
        case .listAccountProjects: ListAccountProjects.run
        case .getProject: GetProject.run
        case .editProject: EditProject.run
        case .deleteProject: DeleteProject.run
        case .projectHistory: ProjectHistory.run
        case .publishProject: TakeProjectStep.publish
        case .closeProject: TakeProjectStep.close
        case .reopenProject: TakeProjectStep.reopen
        case .finishProject: TakeProjectStep.finish
        case .transferProject: TransferProject.run
        case .bookmarkProject: BookmarkProject.run
        case .unbookmarkProject: UnbookmarkProject.run
        case .listProjectMembers: ListProjectMembers.run
        case .leaveProject: LeaveProject.run
        case .removeProjectMember: RemoveProjectMember.run
        }
    }

    private static func run(_ endpoint: ApplicationEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .apply: ApplyToProject.run
        case .listProjectApplications: ListProjectApplications.run
        case .listApplications: ListApplications.run
        case .getApplication: GetApplication.run
        case .withdrawApplication: WithdrawApplication.run
        case .acceptApplication: AcceptApplication.run
        case .declineApplication: DeclineApplication.run
        }
    }
}
