// Who sees a panel, for how long, what the log says, and where its password and the server may go.

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startHouse, until } from '../house.ts'
import { panelHouse } from '../panel-house.ts'
import { openViewer } from '../rfb-viewer.ts'

const { at, panel, record, ticket, follow, open, shown, operate, endOf, name } = panelHouse()

describe('tickets and rights', () => {
  it('a ticket opens one socket, once, and none without it or from a page of another origin', async () => {
    const { Id } = await record(await panel())
    const given = await ticket(Id)
    const [one, two] = [follow(given), follow(given)]
    await until('one of them', () => one.pictures() + two.pictures() > 0)
    await until('the other one', () => one.status() + two.status() > 0)
    expect(one.status() + two.status()).toBe(404)
    const elsewhere = await open(Id, at.manager, { origin: 'https://elsewhere.example' })
    await until('refusal', () => elsewhere.status())
    expect(elsewhere.status()).toBe(403)
  })

  it('a panel of another company does not exist', async () => {
    const { Id } = await record(await panel())
    const calls = [
      ['POST', '/Project/DeviceVnc/Open', { Id }],
      ['GET', `/Project/DeviceVnc?Id=${Id}`, undefined],
      ['PUT', '/Project/DeviceVnc', { Id, Host: 'panel.example', Password: 'mine' }],
      ['DELETE', `/Project/DeviceVnc?Id=${Id}`, {}],
      ['POST', '/Project/DeviceVnc', { VncName: 'Ours', DeviceId: at.device, Host: 'panel.example' }],
    ] as const
    for (const [method, path, body] of calls)
      expect((await at.house.call(at.stranger, method, path, body)).StatusCode).toBe(
        path.endsWith('DeviceVnc') && method === 'POST' ? 400 : 404,
      )
  })

  it('a sign-out, a lost right, and a disabled, moved or removed panel end the session', async () => {
    const screen = await panel()
    const ends: [string, (Id: number) => Promise<unknown>][] = [
      ['disabled', (Id) => at.house.data('PUT', '/Project/DeviceVnc', { Id, Enabled: 0 }, at.manager)],
      ['changed', (Id) => at.house.data('PUT', '/Project/DeviceVnc', { Id, Host: '10.1.1.1' }, at.manager)],
      ['rights', (Id) => at.house.data('DELETE', `/Project/DeviceVnc?Id=${Id}`, {}, at.manager)],
      [
        'rights',
        () =>
          at.house.database.system.rows(sql`update role set "MenuCodes" = array_remove("MenuCodes", 'm10122') where "RoleName" = 'Viewer'`),
      ],
      ['signedOut', () => at.house.data('POST', '/Auth/Logout', {}, at.viewer)],
    ]
    for (const [reason, act] of ends) {
      const { Id } = await record(screen)
      const one = await shown(Id, at.viewer)
      expect(one.pictures()).toBe(1)
      await act(Id)
      expect(await endOf(one)).toEqual({ Ended: reason })
      await until('the panel to be left', () => screen.viewers() === 0)
      await at.house.database.system.rows(
        sql`update role set "MenuCodes" = "MenuCodes" || '{m10122}' where "RoleName" = 'Viewer' and not 'm10122' = any("MenuCodes")`,
      )
      if (reason === 'rights')
        await until('the right', async () => (await at.house.call(at.viewer, 'GET', '/Project/DeviceVnc/List')).Succeeded)
    }
    at.viewer = await at.house.login('looker')
  })

  it('a person opens four viewers at most', async () => {
    const { Id } = await record(await panel())
    for (let i = 0; i < 4; i++) await shown(Id)
    expect(await at.house.call(at.manager, 'POST', '/Project/DeviceVnc/Open', { Id })).toMatchObject({ StatusCode: 429 })
  })

  it('the log says who, when, how long, and with or without control', async () => {
    const screen = await panel()
    const { Id } = await record(screen)
    const one = await operate(Id)
    one.close()
    type Entry = { Id: number; Verb: string; UserNO: string; RecordId: number; Resource: string; ObjectName: string }
    const entries = await until('the entries', async () => {
      const { Items } = await at.house.data<{ Items: Entry[] }>('GET', '/System/Log/List?PageSize=100', undefined, at.manager)
      const found = Items.filter((e) => e.RecordId === Id && e.Verb.startsWith('panel'))
      return found.length === 3 && found
    })
    expect(entries.map((e) => [e.Verb, e.UserNO, e.ObjectName])).toEqual(
      ['panelClose', 'panelControl', 'panelOpen'].map((verb) => [verb, 'managerPANELS0001', name()]),
    )
    const items = await at.house.data<{ FieldName: string; After: string }[]>(
      'GET',
      `/System/Log/LogItemList?Id=${entries[0]!.Id}`,
      undefined,
      at.manager,
    )
    expect(items.map((item) => item.FieldName)).toEqual(expect.arrayContaining(['Duration (s)', 'Operated for (s)', 'Ended because']))
    expect(items.find((item) => item.FieldName === 'Ended because')!.After).toBe('The connection was lost.')
  })
})

describe('passwords and addresses', () => {
  it('no answer, list, log or browser shows the password, and another address needs it again', async () => {
    const screen = await panel({ password: 'hush-hus' })
    const made = await record(screen, { Password: 'hush-hush' })
    expect(made).toMatchObject({ HasPassword: 1 })
    const one = await shown(made.Id)
    expect(one.pixel(1, 1)).toBe(0x0000ff)
    const change = (body: object) => at.house.call(at.manager, 'PUT', '/Project/DeviceVnc', { Id: made.Id, ...body })
    for (const body of [{ Port: 5999 }, { Host: 'thief.example' }])
      expect(await change(body)).toMatchObject({ StatusCode: 400, Details: { Fields: { Password: [expect.stringContaining('again')] } } })
    expect(await change({ Password: 'other' })).toMatchObject({ Succeeded: true })
    const everything = await at.house.database.system.rows<{ text: string }>(
      sql`select c::text as text from change c union all select d::text from device_vnc d`,
    )
    const answers = [made, await at.house.call(at.manager, 'GET', '/Project/DeviceVnc/List'), await change({ Remark: 'new' }), everything]
    expect(JSON.stringify(answers)).not.toMatch(/hush|other"/)
    const wrong = await open(made.Id)
    expect(await endOf(wrong)).toEqual({ Ended: 'password', Text: 'not with that' })
    await at.house.data('DELETE', `/Project/DeviceVnc?Id=${made.Id}`, {}, at.manager)
    expect(await at.house.database.system.rows(sql`select 1 from sealed_secret where "Name" = ${`deviceVnc.${made.Id}.Password`}`)).toEqual(
      [],
    )
  })

  it('refuses this machine, metadata services and networks that are not allowed, as addresses and as names', async () => {
    const own = await startHouse({ PENSTOCK_OUTBOUND: '0.0.0.0/0,::/0' })
    try {
      const made = await own.newGateway('PANELS0009', 1)
      const draft = { VncName: 'Panel', DeviceId: made.device, Host: 'localhost' }
      const tried = [
        '127.0.0.1',
        '127.8.8.8',
        '0.0.0.0',
        '169.254.169.254',
        '100.100.100.200',
        '::1',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        'fd00:ec2::254',
      ]
      for (const Host of tried)
        expect([Host, await own.call(own.admin, 'POST', '/Project/DeviceVnc', { ...draft, Host })]).toMatchObject([
          Host,
          { StatusCode: 400, Details: { Fields: { Host: [expect.any(String)] } } },
        ])
      const { Id } = await own.data('POST', '/Project/DeviceVnc', draft)
      const { Ticket } = await own.data<{ Ticket: string }>('POST', '/Project/DeviceVnc/Open', { Id })
      const one = openViewer(own.origin, Ticket)
      expect(await endOf(one)).toEqual({ Ended: 'address' })
    } finally {
      await own.close()
    }
  })
})
