// A time zone is a name that the run-time and PostgreSQL both know. Any other makes statements fail, or shows the wrong time.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sessionCalls } from '../../contract/session.ts'
import { openZones } from '../../server/identity/zones.ts'
import { type House, startHouse } from '../house.ts'

/** One that only the run-time knows, an offset, which PostgreSQL reads with the sign reversed, and a form that only PostgreSQL knows. */
const wrong = ['US/Pacific-New', '+05:30', 'FOO+5']
let house: House
const ask = async (method: string, path: string, body?: object, zone?: string, token = house.admin) => {
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  if (body) headers['content-type'] = 'application/json'
  if (zone) headers['x-time-zone'] = zone
  return (await fetch(`${house.origin}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })).json()
}
const times = async (zone?: string) => {
  const answer = await ask('GET', '/System/User/List', undefined, zone)
  return answer.Data?.Items.map((i: { CreateTime: string }) => i.CreateTime) ?? answer
}

beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

it.each(wrong)('%s in a header counts as none', async (zone) => {
  expect(await times(zone)).toEqual(await times('UTC'))
  expect(await times('Asia/Kolkata')).not.toEqual(await times('UTC'))
})

it.each(wrong)('%s is refused as a person’s and as a tenant’s zone', async (TimeZoneKey) => {
  const refused = { StatusCode: 400, Details: { Fields: { TimeZoneKey: [expect.stringContaining('ot a time zone')] } } }
  const { Id } = (await ask('GET', '/System/User/Account')).Data
  const tenant = (await ask('GET', '/System/Enterprise/List')).Data.Items[0]
  for (const [path, body] of [
    ['/System/User/Account', { TimeZoneKey }],
    ['/System/User', { Id, TimeZoneKey }],
    ['/System/Enterprise', { Id: tenant.Id, TimeZoneKey }],
  ] as const)
    expect(await ask('PUT', path, body), path).toMatchObject(refused)
  expect(await times()).toEqual(await times('UTC'))
  expect(await ask('PUT', '/System/User/Account', { TimeZoneKey: 'Asia/Kolkata' })).toMatchObject({ Succeeded: true })
  expect(await ask('PUT', '/System/User/Account', { TimeZoneKey: null })).toMatchObject({ Succeeded: true })
})

it('a stored name that is no zone counts as UTC, and the next start replaces it', async () => {
  const db = house.database.system
  const admin = (await ask('GET', '/System/User/Account')).Data
  const token = await house.login()
  await db.rows(sql`update "user" set "TimeZoneKey" = 'US/Pacific-New' where "Id" = ${admin.Id}`)
  await db.rows(sql`update enterprise set "TimeZoneKey" = 'US/Pacific-New'`)
  const fresh = await house.login()
  for (const path of ['/System/User/List', '/Alarm/AlarmInfo/List', '/System/Notice/UserNoticeList', sessionCalls.userInfo.path])
    expect(await ask('GET', path, undefined, undefined, fresh), path).toMatchObject({ Succeeded: true })
  await openZones(db)
  expect(
    await db.rows(
      sql`select 1 from "user" where "TimeZoneKey" is not null union all select 1 from enterprise where "TimeZoneKey" <> 'UTC'`,
    ),
  ).toEqual([])
  expect(await ask('GET', '/System/User/List', undefined, undefined, token)).toMatchObject({ Succeeded: true })
})
