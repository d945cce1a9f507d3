// A push whose answer was lost. Each push has a unique version, so a gateway that reports that version has accepted it.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { keepVersion } from '../../config-versions/server/service.ts'
import { noReply } from './commands.ts'

/** Data of a push in its command: enough to record the push without its sender. */
export type Pushed = {
  ConfigVersion: number
  Content: string
  HeartbeatPeriod: number
  Devices: number
  Points: number
  Note: string | null
}
type Lost = { Id: number; EnterpriseId: number; UserId: number | null; Payload: Pushed }

/** Records the push that a gateway runs and whose answer was lost. Returns whether there was one. */
export const adoptVersion = (system: Db, gatewayId: number, now: number): Promise<boolean> =>
  system.tx(async (db) => {
    const [lost] = await db.rows<Lost>(sql`
      select c."Id", c."EnterpriseId", c."UserId", c."Payload" from command c join gateway g on g."Id" = c."GatewayId"
      where g."Id" = ${gatewayId} and c."CmdType" = 'config' and c."Code" = ${noReply}
        and (c."Payload"->>'ConfigVersion')::integer = g."ConfigVersion" and c."SendTime" > coalesce(g."BoundTime", '-infinity')
        and exists (select from config_content x where x."GatewayId" = g."Id" and x."Hash" = c."Payload"->>'Content')
      order by c."Id" desc limit 1 for update of c`)
    if (!lost) return false
    const { ConfigVersion: Version, Content: Hash, ...sent } = lost.Payload
    await db.rows(sql`update command set "Code" = 0, "AckTime" = ${new Date(now)}, "UpdateTime" = now() where "Id" = ${lost.Id}`)
    await keepVersion(db, { Id: gatewayId, EnterpriseId: lost.EnterpriseId }, lost.UserId, { Version, Hash, Note: sent.Note }, sent)
    db.emit({ resource: 'command', id: lost.Id, verb: 'create', EnterpriseId: lost.EnterpriseId })
    return true
  })
