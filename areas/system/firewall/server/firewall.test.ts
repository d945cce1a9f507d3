import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { firewallRoutes } from './routes.ts'
import { firewallService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'penstock-nft-'))
const [program, said] = [join(folder, 'nft'), join(folder, 'said')]
let kit: Kit
beforeAll(async () => {
  // A program in place of nft that records its arguments, and fails for one port.
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${said}\ncase "$*" in *20666*) exit 1;; esac\n`)
  chmodSync(program, 0o755)
  kit = await startKit({
    areas: (database) => [
      (api) => firewallRoutes(api, firewallService(database, { driver: 'nft', from: 20_001, to: 29_999, nft: program })),
    ],
  })
})
afterAll(async () => {
  await kit.close()
  rmSync(folder, { recursive: true })
})

type State = { Items: { Port: number; Status: number }[] }
const state = () => kit.data<State>('platform', 'GET', '/Firewall/State')

it('[firewall-port] a GET call opens a port for a while and another closes it, each with an entry of who did it', async () => {
  expect(await kit.data('platform', 'GET', '/Firewall/OpenPort?Port=20100&Minutes=30')).toMatchObject({
    Port: 20_100,
    Status: 1,
    UserName: 'platform',
  })
  expect((await state()).Items).toMatchObject([{ Port: 20_100, Status: 1 }])
  expect(await kit.data('platform', 'GET', '/Firewall/ClosePort?Port=20100')).toMatchObject({ Port: 20_100, Status: 0 })
  expect((await state()).Items).toMatchObject([{ Port: 20_100, Status: 0 }])
  expect(readFileSync(said, 'utf8').trim().split('\n')).toEqual([
    'delete element inet penstock ports { 20100 }',
    'add element inet penstock ports { 20100 timeout 30m }',
    'delete element inet penstock ports { 20100 }',
  ])
  const entries = await kit.db.rows(sql`select "Verb", "UserId" from change where "Resource" = 'firewallPort' order by "Id"`)
  const UserId = kit.people.get('platform')!.id
  expect(entries).toEqual([
    { Verb: 'create', UserId },
    { Verb: 'remove', UserId },
  ])
})

it('only ports of the tunnels can be opened, and nothing that is no port', async () => {
  for (const port of [22, 20_000, 30_000])
    expect(await kit.call('platform', 'GET', `/Firewall/OpenPort?Port=${port}`)).toMatchObject({
      StatusCode: 400,
      Details: { Fault: 'portOutOfRange', Fields: { Port: [expect.any(String)] } },
    })
  for (const port of ['0', '70000', 'x', '20100;reboot'])
    expect(await kit.call('platform', 'GET', `/Firewall/OpenPort?Port=${encodeURIComponent(port)}`)).toMatchObject({ StatusCode: 400 })
  expect(await kit.call('platform', 'GET', '/Firewall/ClosePort?Port=20111')).toMatchObject({ StatusCode: 404 })
})

it('what the firewall refuses is not recorded as open', async () => {
  expect((await kit.request('platform', 'GET', '/Firewall/OpenPort?Port=20666')).json()).toMatchObject({
    Succeeded: false,
    Details: { Fault: 'firewallFailed' },
  })
  expect((await state()).Items.map((i) => i.Port)).not.toContain(20_666)
})

it('is the platform’s alone', async () => {
  await kit.person('manager', kit.enterprises.ours, { menus: [] })
  await kit.db.rows(sql`update role set "RouteRole" = 'admin' where "RoleName" = 'manager'`)
  for (const as of ['owner', 'viewer', 'manager'])
    for (const path of ['OpenPort?Port=20100', 'ClosePort?Port=20100', 'State'])
      expect(await kit.call(as, 'GET', `/Firewall/${path}`), as).toMatchObject({ StatusCode: 403 })
})
