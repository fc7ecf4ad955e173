import type * as users from '../../public/users.js';
import type { ExamplesOf } from '../operation-example.js';
import { ada, password, token } from './values.js';

export const userExamples: ExamplesOf<typeof users> = {
  createUser: {
    body: { email: ada.email, first_name: ada.first_name, last_name: ada.last_name, password },
    answer: { user: ada },
  },
  listUsers: { query: { limit: '50', q: 'ada' }, answer: { users: [ada], next: null } },
  showUser: { params: { id: '7' }, query: {}, answer: { user: ada } },
  updateUser: {
    params: { id: '7' },
    body: { last_name: 'King' },
    answer: { user: { ...ada, last_name: 'King', updatedAt: '2027-01-16T10:30:00.000Z' } },
  },
  deleteUser: { params: { id: '7' }, answer: { user: { ...ada, deletedAt: '2027-01-20T12:00:00.000Z' } } },
  endUserSessions: { params: { id: '7' }, answer: { message: 'Every session of this user has ended.' } },
  inviteUser: { params: { id: '7' }, answer: { message: 'The invitation is on its way.' } },
  confirmEmail: {
    body: { confirm_token: token, user_id: ada.id },
    answer: { message: 'Your new email is in use.' },
  },
};
