import type { Actor } from '../identity/actor.ts'

/** Who gets a message: people of the tenant (and the platform) who were granted the project and hold the permission; of those the named. */
export type Audience = { EnterpriseId: number; ProjectId?: number | null; permission?: string; users?: readonly number[] }

export const hears = ({ EnterpriseId, ProjectId, permission, users }: Audience, actor: Actor) =>
  (actor.platform || actor.EnterpriseId === EnterpriseId) &&
  (ProjectId == null || actor.projects === 'all' || actor.projects.includes(ProjectId)) &&
  (!permission || actor.may.has(permission)) &&
  (!users || users.includes(actor.UserId))
