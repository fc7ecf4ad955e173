import { userApi } from '@latchkey/contracts';
import { type Route, route } from '@latchkey/kit';
import type { Dependencies } from './dependencies.js';
import { confirmEmail } from './use-cases/confirm-email.js';
import { createUser } from './use-cases/create-user.js';
import { deleteUser } from './use-cases/delete-user.js';
import { findUserByEmail } from './use-cases/find-user-by-email.js';
import { findUserById } from './use-cases/find-user-by-id.js';
import { importUser } from './use-cases/import-user.js';
import { listUsers } from './use-cases/list-users.js';
import { reissueEmailConfirmation } from './use-cases/reissue-email-confirmation.js';
import { showUser } from './use-cases/show-user.js';
import { updateUser } from './use-cases/update-user.js';

/** Everything that the user service offers. */
export function userRoutes(deps: Dependencies): Route[] {
  return [
    route(userApi.createUser, createUser(deps)),
    route(userApi.listUsers, listUsers(deps)),
    route(userApi.showUser, showUser(deps)),
    route(userApi.updateUser, updateUser(deps)),
    route(userApi.deleteUser, deleteUser(deps)),
    route(userApi.confirmEmail, confirmEmail(deps)),
    route(userApi.importUser, importUser(deps)),
    route(userApi.findUserByEmail, findUserByEmail(deps)),
    route(userApi.findUserById, findUserById(deps)),
    route(userApi.reissueEmailConfirmation, reissueEmailConfirmation(deps)),
  ];
}
