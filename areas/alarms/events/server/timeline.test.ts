import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'

type Entry = { Kind: number; Id: number; GatewayName: string; Time: string; Subject: string; Text: string; Code: number | null }
type Page = { Items: Entry[]; Next: string | null }

let kit: Kit
const gateway: Record<'east' | 'west', { Id: number; ProjectId: number }> = {} as never
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

beforeAll(async () => {
  kit = await startKit()
  const make = maker(kit)
  const add = (given: object) => make.create(gateways, given as never) as unknown as Promise<{ Id: number; ProjectId: number }>
  gateway.east = await add({ GatewayName: 'East' })
  gateway.west = await add({ GatewayName: 'West', ProjectId: gateway.east.ProjectId })
  const enterprise = kit.enterprises.ours
  const event = (of: number, type: number, text: string, second: number) =>
    kit.db.rows(sql`insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
      values (${enterprise}, ${of}, ${text}, ${type}, 2, ${text}, ${at(second)})`)
  const command = (of: number, type: string, code: number | null, second: number) =>
    kit.db.rows(sql`insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId", "Code", "SendTime")
      values (${enterprise}, ${of}, ${type}, ${`${type}${of}${second}`}, ${code}, ${at(second)})`)
  const { east, west } = gateway
  for (let i = 1; i <= 5; i++) await event(east.Id, 3, `cut ${i}`, i)
  await event(west.Id, 7, 'restart', 3)
  await command(east.Id, 'write', 0, 3)
  await command(east.Id, 'config', 0, 4)
  await command(east.Id, 'config', 10, 6)
  await command(west.Id, 'read', null, 7)
  await kit.db.rows(sql`insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "PushTime", "Devices", "Points", "Note")
    values (${enterprise}, ${east.Id}, 4, 'h', 30, ${at(4)}, 1, 2, 'after the repair')`)
})
afterAll(() => kit.close())

const ask = (query: string, as = 'owner') => kit.call<Page>(as, 'GET', `/Events/Events/Timeline?${query}`)
const items = async (query: string, as = 'owner') => (await ask(query, as)).Data.Items
const lines = (found: Entry[]) => found.map(({ Kind, Subject, Text }) => [Kind, Subject, Text].filter((x) => x !== '').join(' '))

it('shows events, accepted configurations and commands of a gateway, newest first; an accepted push once', async () => {
  expect(lines(await items(`GatewayId=${gateway.east.Id}`))).toEqual([
    ...['3 config', '1 3 cut 5', '2 4 after the repair', '1 3 cut 4', '3 write', '1 3 cut 3', '1 3 cut 2', '1 3 cut 1'],
  ])
  expect(lines(await items(`GatewayId=${gateway.east.Id}&Kind=2`))).toEqual(['2 4 after the repair'])
})

it('shows all gateways of a project, and its pages have each line once, whatever their size', async () => {
  const project = `ProjectId=${gateway.east.ProjectId}`
  const all = await items(project)
  expect(all).toHaveLength(10)
  expect(all[0]).toMatchObject({ GatewayName: 'West', Subject: 'read', Code: null })
  for (const size of [1, 2, 3, 7]) {
    const paged: Entry[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { Data }: { Data: Page } = await ask(`${project}&PageSize=${size}${next && `&Before=${next}`}`)
      paged.push(...Data.Items)
      next = Data.Next
    }
    expect(paged).toEqual(all)
  }
})

it('is closed to other companies, leaves out what a role may not read, and names what is missing', async () => {
  expect(await ask(`GatewayId=${gateway.east.Id}`, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await ask(`ProjectId=${gateway.east.ProjectId}`, 'stranger')).toMatchObject({ StatusCode: 404 })
  expect(await ask('')).toMatchObject({ StatusCode: 400, Details: { Fields: { GatewayId: expect.anything() } } })
  expect(await ask(`GatewayId=${gateway.east.Id}&Before=1`)).toMatchObject({ StatusCode: 400 })
  await kit.person('mechanic', kit.enterprises.ours, { menus: ['m10102'] })
  expect(new Set((await items(`GatewayId=${gateway.east.Id}`, 'mechanic')).map((e) => e.Kind))).toEqual(new Set([2, 3]))
})
