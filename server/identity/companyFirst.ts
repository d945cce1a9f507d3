import { sql } from 'kysely'
import { companyMenus } from '../../contract/menus.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Db } from '../database/db.ts'
import { FieldFaults } from '../http/faults.ts'
import type { Actor } from './actor.ts'
import { platformEnterprise } from './setup.ts'

/** Requires a company for records that belong to one. Installations whose platform already has a plant are exempt. */
export const assertCompany = async (db: Db, actor: Actor, r: Pick<Resource, 'shared' | 'permission'>, enterprise: number) => {
  if (!actor.platform || enterprise !== platformEnterprise || r.shared || !companyMenus.has(r.permission)) return
  const [found] = await db.rows(
    sql`select 1 where exists (select from enterprise where "Id" <> ${platformEnterprise}) or exists (select from project where "EnterpriseId" = ${platformEnterprise})`,
  )
  if (!found) throw new FieldFaults([{ field: 'EnterpriseId', rule: 'companyFirst' }])
}
