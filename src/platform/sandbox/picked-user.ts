import { randomInt } from 'node:crypto';

/** A user id that common distributions do not assign; scripts that root starts run under it. */
export function pickUser(): number {
  return FIRST_USER + randomInt(USERS);
}

/** Could `pickUser` have picked this one? */
export function isPickedUser(user: number): boolean {
  return user >= FIRST_USER && user < FIRST_USER + USERS;
}

const FIRST_USER = 64_001;
const USERS = 900;
