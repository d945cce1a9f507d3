// Walks every Analyse screen as manager, viewer and single-project user, and one task by keyboard on a phone.
import mqtt from 'mqtt'
import { beforeAll, expect, it } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import type { Language } from '../../contract/languages.ts'
import { addressOf, menus } from '../../contract/menus.ts'
import { word } from '../../server/http/words.ts'
import { type FrontDoor, openFrontDoor, password, until } from '../front-door.ts'
import { expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, settled, visit } from './browser.ts'
import { byKeyboard } from './byKeyboard.ts'

const [minute, hour] = [60_000, 3_600_000]
const analyse = menus.find(({ path }) => path === '/dataAnalysis')!
const screens = analyse.children!.map((menu) => ({ ...menu, address: addressOf(menu, analyse.path) }))
const env = { PENSTOCK_DEMO: 'off' }

type Row = { Id: number }
type Works = { project: number; device: number; points: number[] }
/** Users with their theme, language and viewport. */
const people = {
  manager: { language: 'zh', width: 1440, dark: true },
  viewer: { language: 'en', width: 1440, dark: false },
  'person with one project': { language: 'ja', width: 390, dark: true },
} as const satisfies Record<string, { language: Language; width: number; dark: boolean }>
type Person = keyof typeof people
const accounts: Record<Person, string> = { manager: 'rita', viewer: 'vico', 'person with one project': 'olga' }

const patient = { timeout: 300_000 }
journey('people who ask the data', { env }, (at) => {
  let door: FrontDoor
  let token: string
  let [north, south] = [] as Works[]
  const api = <T = Row>(method: string, path: string, body?: unknown) => door.data<T>(method, path, body, token)

  /** An offline gateway with ten hours of readings. */
  const works = async (name: string, SN: string): Promise<Works> => {
    const { Id: project } = await api('POST', '/Project/Project', { ProjectName: `${name} works` })
    const { Id: GatewayId } = await api('POST', '/Project/Gateway', { GatewayName: `${name} gateway`, SN, ProjectId: project })
    const channel = { ProtocolName: 'Network', GatewayId, Ip: '127.0.0.1', Port: 1 }
    const { Id: NetProtocolId } = await api('POST', '/Project/Protocol/NetProtocol', channel)
    const { Id: DeviceId } = await api('POST', '/Project/Device', { DeviceName: `${name} store`, GatewayId, NetProtocolId })
    const points: number[] = []
    for (const [ParaName, Code] of [
      ['level', null],
      ['counter', null],
      ['door', 'state.door'],
      ['room', 'temperature.room'],
      ['humidity', 'humidity'],
      ['battery', 'battery.soc'],
    ] as const) {
      const standard = Code && (await api<{ Items: Row[] }>('GET', `/Project/StandardPara/List?Code=${Code}`)).Items[0]
      const of = Code === 'state.door' ? { RegisterType: 0, ParaDataType: 0, ZeroText: 'Closed', OneText: 'Open' } : {}
      const more = {
        ...of,
        ...(standard ? { StandardParaId: standard.Id } : {}),
        Address: String(points.length),
        UploadMode: 0,
        UploadPeriod: 600,
      }
      points.push((await api('POST', '/Project/DevPara', { DeviceId, ParaName: `${name} ${ParaName}`, ...more })).Id)
    }
    await api('POST', `/DataCenter/ReportData/CalDataType/${points[1]}/1`, {})
    const { Key } = await api<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: GatewayId })
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${at.penstock.mqttPort}`, { clientId: SN, username: SN, password: Key })
    const first = Math.floor(Date.now() / hour) * hour - 10 * hour
    const values = (i: number) => [3 + (i % 7), 500 + i, Math.floor(i / 5) % 2, 4 + (i % 3), 60 + (i % 9), 90 - i / 10]
    const Items = Array.from({ length: 60 }, (_, i) => ({
      ...{ D: DeviceId, T: first + i * 10 * minute },
      V: Object.fromEntries(points.map((id, k) => [id, values(i)[k]!])),
    }))
    const message = { MsgId: crypto.randomUUID(), Ts: Date.now(), Data: { Backfill: 1, Batch: 1, Last: 1, Items } }
    await client.publishAsync(topic(SN, 'up', 'history'), JSON.stringify(message), { qos: 1 })
    await client.endAsync(true)
    return { project, device: DeviceId, points }
  }
  /** One of each thing that lists of the analysis hold, named after the works. */
  const things = async (name: string, { project, points: [level, counter] }: Works) => {
    const add = (path: string, body: object) => api('POST', path, body)
    const group = { GroupName: `${name} group`, GroupType: 3, ProjectId: project, Points: [{ ParaId: level }, { ParaId: counter }] }
    const { Id: GroupId } = await add('/DataCenter/ReportGroup', group)
    await add('/DataCenter/Chart', { ChartName: `${name} chart`, GroupId })
    await add('/DataCenter/FormulaPoint', { FormulaName: `${name} formula`, ProjectId: project, Expression: `2 * #${level}` })
    const Time = new Date(Date.now() - 5 * hour).toISOString().slice(0, 19).replace('T', ' ')
    await add('/DataCenter/ChartNote', { ParaId: level, Time, Text: `${name} filter cleaned` })
    const Blocks = [{ Type: 'keyFigures' }]
    const template = { TemplateName: `${name} report`, GroupId, Period: 'day', Blocks }
    const { Id: ReportTemplateId } = await add('/DataCenter/ReportTemplate', template)
    const { Id } = await add('/DataCenter/ReportSchedule', { ScheduleName: `${name} schedule`, ReportTemplateId, Format: 'csv' })
    await add('/DataCenter/ReportSchedule/Run', { Id })
    type Runs = { Items: { ScheduleId: number; Status: number }[] }
    await until('its report', async () => {
      const { Items } = await api<Runs>('GET', '/DataCenter/ReportRun/List')
      return Items.some(({ ScheduleId, Status }) => ScheduleId === Id && Status === 2)
    })
  }
  const account = async (UserNO: string, EnterpriseId: number, RoleId: number) => {
    const { OneTimePwd } = await api<{ OneTimePwd: string }>('POST', '/System/User', {
      UserNO,
      UserName: UserNO,
      EnterpriseId,
      RoleIds: [RoleId],
    })
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login(UserNO, OneTimePwd))
  }

  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const manager = { Name: 'Riverside', ManagerNO: accounts.manager, ManagerName: 'Rita', TimeZoneKey: 'Europe/Madrid' }
    const { OneTimePwd, Id: EnterpriseId } = await door.data<Row & { OneTimePwd: string }>('POST', '/System/Enterprise', manager)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login(accounts.manager, OneTimePwd))
    token = await door.login(accounts.manager)
    north = await works('Northern', 'PEOPLE000001')
    south = await works('Southern', 'PEOPLE000002')
    await things('Northern', north)
    await things('Distant', south)
    type Roles = { Items: (Row & { RoleName: string })[] }
    const roles = (await api<Roles>('GET', '/System/Role/List?PageSize=100')).Items
    const roleOf = (name: string) => roles.find(({ RoleName }) => RoleName === name)!.Id
    await account(accounts.viewer, EnterpriseId, roleOf('Viewer'))
    // Everything that a manager may do, in one of the two projects.
    const RoleId = (await api('POST', '/System/Role', { RoleName: 'Northern manager', CopyOf: roleOf('Company manager') })).Id
    await api('POST', '/System/Role/SetProject', { RoleId, ProjectIds: [north.project] })
    await account(accounts['person with one project'], EnterpriseId, RoleId)
  }, 240_000)

  /** Opens a browser for a user and shows it on failure. */
  const openAs = async (person: Person, view: Parameters<typeof openBrowser>[1]) => {
    const before = at.browser
    const look = (browser: typeof before) => Object.assign(at, { browser, page: browser.page })
    const browser = await openBrowser(at.penstock.origin, { known: [accounts[person]], height: 844, ...view })
    look(browser)
    await openSignedIn(browser.page, at.penstock.origin, accounts[person], password, '/dataAnalysis/notes')
    return {
      ...browser,
      close: () => {
        look(before)
        return browser.close()
      },
    }
  }

  it.each(Object.keys(people) as Person[])('%s: every screen shows what he may see, and nothing is refused', patient, async (person) => {
    const { page, problems, close } = await openAs(person, people[person])
    const { language } = people[person]
    // A link may name points that its reader does not see: they are left out.
    const asked = `points=${[...north!.points.slice(0, 2), south!.points[0]]}&device=${north!.device}&project=${north!.project}&range=24h`
    const changes = ['add', 'edit', 'remove', 'reportSchedule.run', 'reportRun.remake'].map((key) => word(language, key))
    const leaked: Record<string, string> = {}
    for (const { code, address } of screens) {
      await visit(page, `${address}?${asked}`)
      await pane(page)
        .getByRole('heading', { level: 1, name: word(language, `menu.${code}`), exact: true })
        .waitFor()
      await expectFits(page)
      expect(await pane(page).locator('.empty[role=alert]').allTextContents(), address).toEqual([])
      const text = await pane(page).textContent()
      if (person === 'person with one project' && /Southern|Distant/.test(text!)) leaked[address] = text!
      if (person === 'viewer') {
        const buttons = await pane(page).getByRole('button').filter({ visible: true }).allTextContents()
        expect(
          buttons.filter((name) => changes.some((change) => name.startsWith(change))),
          address,
        ).toEqual([])
      }
      // Light on a desk and dark on a phone, in two languages.
      if (person !== 'manager') await expectAccessible(page)
      expect(problems, address).toEqual([])
    }
    expect(leaked).toEqual({})
    await close()
  })

  it('a question is answered on a phone of 390 px by keyboard alone, and its link shows the same', patient, async () => {
    const { page, problems, close } = await openAs('manager', { width: 390, language: 'en' })
    const { goTo, tabTo, type, enter, press, hasHeading } = byKeyboard(page)
    await pane(page).getByRole('heading', { level: 1 }).waitFor()
    await goTo('trends', 'Trends')
    await hasHeading('Trends')
    await tabTo(/^Choose/, 'combobox')
    for (const name of ['Northern level', 'Southern level']) {
      await type(name)
      // Enter takes the one that is marked.
      await page.locator('.ant-select-item-option-active').filter({ hasText: name, visible: true }).first().waitFor()
      await enter()
    }
    await press('Escape')
    await pane(page).locator('.uplot').waitFor()
    await tabTo('Statistics of this time', 'button')
    await enter()
    const figures = pane(page).locator('.explore-table')
    await figures.getByText('Northern level').first().waitFor()
    await expectFits(page)
    await expectAccessible(page)
    await tabTo('Save as group', 'button', 'Shift+Tab')
    await enter()
    // On a phone, focusing a field would open the keyboard, so people tap it themselves.
    await tabTo('Name', 'textbox')
    await type('By keyboard')
    await enter()
    await page.getByText('Saved as group “By keyboard”.').waitFor()
    const { pathname, search, searchParams } = new URL(page.url())
    expect(searchParams.get('points')).toBe(`${north!.points[0]},${south!.points[0]}`)
    await goTo('data query', 'Data query')
    await hasHeading('Data query')
    expect(problems).toEqual([])
    await close()

    const viewer = await openAs('viewer', { width: 390, language: 'en' })
    await visit(viewer.page, `${pathname}${search}`)
    await pane(viewer.page).locator('.uplot').waitFor()
    await pane(viewer.page).locator('.explore-table').getByText('Southern level').first().waitFor()
    await settled(viewer.page)
    expect(viewer.problems).toEqual([])
    await viewer.close()
  })
})
