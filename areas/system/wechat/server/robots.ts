import { sql } from 'kysely'
import type { Database, Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Vault } from '../../../../server/identity/vault.ts'
import { assertSecretsBound } from '../../../../server/resource/settings.ts'
import { store } from '../../../../server/resource/store.ts'
import { dingRobot, robotSecrets } from '../contract.ts'

type Values = Record<string, unknown>
export const robots = store(dingRobot)

/** Robots of DingTalk groups. Their secrets are in the vault. */
export const robotsService = ({ database, vault }: { database: Database; vault: Vault }) => {
  const withSecrets = async (db: Db, actor: Actor, id: number, { AccessToken, Secret }: Values) => {
    const { EnterpriseId } = await robots.find(db, actor, id)
    const put = (name: string, value: unknown) => vault.put(db, EnterpriseId, `dingRobot.${id}.${name}`, value as string | null | undefined)
    await put('AccessToken', AccessToken)
    await put('Secret', Secret)
    await db.rows(sql`
      update ding_robot set
        "HasToken" = (select count(*) from sealed_secret where "EnterpriseId" = ${EnterpriseId} and "Name" = ${`dingRobot.${id}.AccessToken`}),
        "HasSecret" = (select count(*) from sealed_secret where "EnterpriseId" = ${EnterpriseId} and "Name" = ${`dingRobot.${id}.Secret`})
      where "Id" = ${id}`)
    return robots.find(db, actor, id)
  }

  return {
    addRobot: (actor: Actor, given: Values) =>
      database.system.tx(async (db) => withSecrets(db, actor, (await robots.create(db, actor, given)).Id, given)),
    changeRobot: (actor: Actor, id: number, given: Values) =>
      database.system.tx(async (db) => {
        const { HasSecret } = await robots.update(db, actor, id, given)
        assertSecretsBound(robotSecrets, (s) => s === 'Secret' && HasSecret === 1, {}, given)
        return withSecrets(db, actor, id, given)
      }),
    removeRobots: (actor: Actor, ids: readonly number[]) =>
      database.system.tx(async (db) => {
        for (const id of new Set(ids)) {
          const { EnterpriseId } = await robots.find(db, actor, id)
          for (const name of ['AccessToken', 'Secret']) await vault.put(db, EnterpriseId, `dingRobot.${id}.${name}`, null)
        }
        return robots.remove(db, actor, ids)
      }),
  }
}
