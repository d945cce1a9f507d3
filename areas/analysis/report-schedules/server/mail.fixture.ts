// A company that sends its e-mails to the mail server of a test.
import { sql } from 'kysely'
import { openChannels } from '../../../../server/channels/channels.ts'
import { allowedBy } from '../../../../server/channels/outbound.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { openVault } from '../../../../server/identity/vault.ts'
import { createNotice } from '../../../system/notices/server/service.ts'

type Plant = { kit: { database: Database; db: Db; enterprises: { ours: number } } }
type Given = { port: number; clock: () => number; files: string; log: Parameters<typeof openChannels>[0]['log'] }

export const openMailChannel = async ({ kit }: Plant, { port, clock, files, log }: Given) => {
  const { database } = kit
  const vault = openVault(database, Buffer.alloc(32, 7))
  const url = 'http://127.0.0.1:9'
  const addresses = { wechatUrl: url, dingtalkUrl: url, aliyunSmsUrl: url, tencentSmsUrl: url }
  const bell = (m: Parameters<typeof createNotice>[1]) => createNotice(database.system, m)
  const settings = { ...addresses, outbound: allowedBy([`127.0.0.1/32:${port}`]) }
  const channels = openChannels({ database, vault, settings, clock, log, bell, files, limits: { pollMs: 3_600_000 } })
  await vault.put(kit.db, kit.enterprises.ours, 'pushConfig.EmailPassword', 'mail secret')
  const config = {
    EmailOn: 1,
    EmailHost: '127.0.0.1',
    EmailPort: port,
    EmailTls: 'none',
    EmailUser: 'mailer',
    EmailFrom: 'Penstock <reports@example.com>',
  }
  await kit.db.rows(
    sql`insert into tenant_config ("EnterpriseId", "Name", "Config") values (${kit.enterprises.ours}, 'pushConfig', ${JSON.stringify(config)}::jsonb)`,
  )
  return channels
}
