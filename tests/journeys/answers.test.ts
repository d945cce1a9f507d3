// What people rely on when they ask the data: gaps that close, meters that restart, and doors.
import { readFileSync } from 'node:fs'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import type { Language } from '../../contract/languages.ts'
import { startLine } from '../cut.ts'
import { type FrontDoor, openFrontDoor, password, until } from '../front-door.ts'
import { startDevice } from '../modbus-device.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'
import { startGatewayOfThePast } from './gatewayOfThePast.ts'

const hour = 3_600_000
/** 20 s, in hours: minute values lie between two readings. */
const slack = 1 / 180
/** How often the meter sends, ms. */
const step = 600_000
/** A value holds for three hours. */
const onChange = { CollectPeriod: 100, UploadMode: 3, UploadPeriod: 3600 }
const env = { PENSTOCK_DEMO: 'off' }
const wordsOf = (area: string, language: Language): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../areas/${area}/words/${language}.json`, import.meta.url), 'utf8'))

type Row = { Id: number }
type Figures = { Points: { Rows: { Count: number; Coverage: number | null; FirstTime: number | null }[] }[] }

// Each of them waits for readings and pages, also on a crowded machine.
const patient = { timeout: 300_000 }
journey('answers from the data', { env }, (at) => {
  let door: FrontDoor
  let token: string
  let device: Awaited<ReturnType<typeof startDevice>>
  let line: Awaited<ReturnType<typeof startLine>>
  let edge: Awaited<ReturnType<typeof startGatewayOfThePast>> | undefined
  let past: mqtt.MqttClient | undefined
  let [live, old] = [] as Awaited<ReturnType<typeof place>>[]
  let [level, doorPoint, meter] = [0, 0, 0]
  /** The beginnings of three days in Madrid. */
  let [from, yesterday, today] = [0, 0, 0]
  const api = <T = Row>(method: string, path: string, body?: unknown) => door.data<T>(method, path, body, token)
  /** A gateway in a new project, with a device. */
  const place = async (SN: string, Port: number) => {
    const { Id: ProjectId } = await api('POST', '/Project/Project', { ProjectName: `Project of ${SN}` })
    const { Id: GatewayId } = await api('POST', '/Project/Gateway', { GatewayName: SN, SN, ProjectId })
    const channel = await api('POST', '/Project/Protocol/NetProtocol', { ProtocolName: 'Network', GatewayId, Ip: '127.0.0.1', Port })
    const { Id } = await api('POST', '/Project/Device', { DeviceName: `Device of ${SN}`, GatewayId, NetProtocolId: channel.Id })
    const { Key } = await api<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: GatewayId })
    return { SN, Key, project: ProjectId, gateway: GatewayId, device: Id }
  }
  const point = async (DeviceId: number, ParaName: string, more: object) =>
    (await api('POST', '/Project/DevPara', { DeviceId, ParaName, Address: '0', CollectPeriod: 200, Timeout: 30_000, ...more })).Id
  /** Readings of the past. */
  const sendLate = async (items: { T: number; V: Record<string, number> }[]) => {
    for (let i = 0; i < items.length; i += 1000) {
      const Items = items.slice(i, i + 1000).map((item) => ({ D: old!.device, ...item }))
      const message = { MsgId: crypto.randomUUID(), Ts: Date.now(), Data: { Backfill: 1, Batch: 1, Last: 1, Items } }
      await past!.publishAsync(topic(old!.SN, 'up', 'history'), JSON.stringify(message), { qos: 1 })
    }
  }
  /** What meter and door show: 100 m³ on the first day; on the second 30, a restart at noon, and 64. It opens for an hour, and late. */
  const twoDays = () => {
    const shows = (day: number, hours: number, value: number, open = 0) => {
      const change = () => {
        device.setUInt32(10, value)
        device.coils[0] = open
      }
      return [day + hours * hour, change] as const
    }
    const first = [shows(from, 1, 5000), shows(from, 8, 5040), shows(from, 20, 5090), shows(from, 23, 5100)]
    const second = (...all: [hours: number, value: number, open?: number][]) => all.map((one) => shows(yesterday, ...one))
    return [
      ...first,
      ...second([1, 5100], [8, 5130], [10, 5130, 1], [11 + slack, 5130], [12, 1], [13, 4], [15, 20]),
      ...second([17, 30], [19, 40], [20, 50, 1], [22.25 + slack, 60], [23, 64]),
    ]
  }
  const noon = (midnight: number) => midnight + 12 * hour
  const figures = async (id: number, start: number, end: number) =>
    (await api<Figures>('GET', `/DataCenter/ReportData/StaticsData?ParaIds=${id}&Start=${start}&End=${end}`)).Points[0]!.Rows[0]!

  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const manager = { Name: 'Riverside', ManagerNO: 'rita', ManagerName: 'Rita', TimeZoneKey: 'Europe/Madrid' }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/Enterprise', manager)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login('rita', OneTimePwd))
    token = await door.login('rita')
    device = await startDevice()
    device.setFloat(0, 42.5)
    device.setUInt32(10, 64)
    line = await startLine(at.penstock.mqttPort)
    live = await place('ANSWERS00001', device.port)
    old = await place('HISTORY00001', 1)
    level = await point(live.device, 'Level', { ParaUnitName: 'm' })
    const { Items } = await api<{ Items: Row[] }>('GET', '/Project/StandardPara/List?Code=state.door')
    doorPoint = await point(live.device, 'Store door', {
      ...{ RegisterType: 0, ParaDataType: 0, StandardParaId: Items[0]!.Id, ZeroText: 'Closed', OneText: 'Open', ...onChange },
    })
    const counter = { Address: '10', ParaDataType: 33, ParaUnitName: 'm³', DecimalDigits: 0 }
    meter = await point(live.device, 'Water meter', { ...counter, ...onChange })
    edge = await startGatewayOfThePast({ sn: live.SN, key: live.Key }, { line, device })
    await door.online(live.gateway)
    await door.push(live.gateway)
    past = await mqtt.connectAsync(`mqtt://127.0.0.1:${at.penstock.mqttPort}`, { clientId: old.SN, username: old.SN, password: old.Key })
    const date = (time: number) => new Date(time).toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' })
    const midnight = (text: string) => {
      const utc = Date.parse(`${text}T00:00:00Z`)
      return [utc - hour, utc - 2 * hour].find((time) => date(time) === text && date(time - 1) !== text)!
    }
    today = midnight(date(Date.now()))
    yesterday = midnight(date(today - 12 * hour))
    from = midnight(date(yesterday - 12 * hour))
    await edge.live(twoDays())
  })
  afterAll(async () => {
    await edge?.close()
    await past?.endAsync(true)
    line?.close()
    await device?.close()
  })
  /** A window of Rita's; while it is open, it is what a failure shows. */
  const openAs = async (view: Parameters<typeof openBrowser>[1]) => {
    const before = at.browser
    const look = (of: typeof before) => Object.assign(at, { browser: of, page: of.page })
    const browser = await openBrowser(at.penstock.origin, { known: ['rita'], ...view })
    look(browser)
    browser.page.setDefaultTimeout(60_000)
    await openSignedIn(browser.page, at.penstock.origin, 'rita', password, '/dataAnalysis/group')
    const close = () => {
      look(before)
      return browser.close()
    }
    return { ...browser, close }
  }

  it('a cut line marks the coverage of its points, and the readings that come late take the mark away', patient, async () => {
    const start = Date.now() - 1
    const began = await until('readings', async () => (await figures(level, start, Date.now())).FirstTime)
    await until('a few seconds of them', async () => (await figures(level, began!, Date.now())).Count > 20)
    line.cut()
    const end = await until('a gap', async () => {
      const now = Date.now()
      return ((await figures(level, began!, now)).Coverage ?? 1) < 0.8 && now
    })
    const { page, problems, close } = await openAs({ language: 'en' })
    const mark = pane(page).locator('.explore-table .explore-mark')
    await visit(page, `/dataAnalysis/realTimeData?points=${level}&from=${began}&to=${end}&figures=on`)
    await mark.waitFor()
    await expectAccessible(page)
    line.mend()
    await until('what the gateway kept', async () => (await figures(level, began!, end)).Coverage! > 0.95)
    await page.reload()
    await pane(page)
      .locator('.explore-table')
      .getByText(/^(9[5-9]|100).* %$/)
      .waitFor()
    expect(await mark.count()).toBe(0)
    expect(problems).toEqual([])
    await close()
  })

  it('a meter that restarted waits for an answer, and then its daily sums are right', patient, async () => {
    await api('POST', `/DataCenter/ReportData/CalDataType/${meter}/1`, {})
    const t = wordsOf('analysis/data-analysis', 'zh')
    const { page, problems, close } = await openAs({ language: 'zh', dark: true })
    const trend = `/dataAnalysis/realTimeData?points=${meter}&from=${from}&to=${today}&events=on`
    const onChart = (text: string) => pane(page).getByRole('img', { name: new RegExp(text) })
    const days = () => pane(page).locator('.explore-table .ant-table-row').allInnerTexts()
    const counted = async (...amounts: number[]) => {
      await visit(page, `/dataAnalysis/computeDataQuery?points=${meter}&unit=day&from=${from}&to=${today}`)
      await expect.poll(days).toEqual(amounts.map((amount) => expect.stringMatching(new RegExp(`\\b${amount}$`))))
    }
    await visit(page, trend)
    await onChart(t['meter.open']!).waitFor()
    // What it counted up to the first reading after the restart is unknown.
    await counted(100, 93)
    await visit(page, `/dataAnalysis/dataStatus?project=${live!.project}&point=${meter}&from=${from}&to=${today}`)
    await dialog(page).getByText(t['meter.open']!).waitFor()
    await dialog(page).getByRole('button', { name: t['meter.answer'] }).click()
    await dialog(page).getByRole('radio', { name: t['meter.kind.1'] }).check()
    await expectAccessible(page, '.ant-drawer')
    await dialog(page).getByRole('button', { name: t['meter.send'] }).click()
    await page.getByText(t['meter.answered']!).waitFor()
    await visit(page, trend)
    await onChart(t['meter.mark.event']!).waitFor()
    await expect.poll(() => onChart(t['meter.open']!).count()).toBe(0)
    await counted(100, 94)
    await expectFits(page)
    expect(problems).toEqual([])
    await close()
  })

  it('a replaced meter is answered where the amount of its circuit is looked into, and the amount is right at once', patient, async () => {
    const energyMeter = await point(old!.device, 'Energy meter', {
      ParaUnitName: 'kWh',
      DecimalDigits: 0,
      UploadMode: 0,
      UploadPeriod: 600,
    })
    await api('POST', `/DataCenter/ReportData/CalDataType/${energyMeter}/1`, {})
    const circuit = { EnergyName: 'Pumps', EnergyCode: 'E1', ProjectId: old!.project, Source: 1, ParaId: energyMeter }
    await api('POST', '/Energy/Info', circuit)
    // One kWh each ten minutes. The old meter showed 5 more when it was taken out, and the new one began at 0.
    const replaced = noon(yesterday)
    const before = 5000 + (replaced - step - from) / step
    const times = Array.from({ length: (today - from) / step + 1 }, (_, i) => from + i * step)
    await sendLate(times.map((T) => ({ T, V: { [energyMeter]: T < replaced ? 5000 + (T - from) / step : 7 + (T - replaced) / step } })))
    const counted = (today - yesterday) / step - 1
    const [t, e] = [wordsOf('analysis/data-analysis', 'es'), wordsOf('energy/consumption', 'es')]
    const { page, problems, close } = await openAs({ width: 390, height: 844, language: 'es' })
    const date = new Date(yesterday + 12 * hour).toISOString().slice(0, 10)
    await visit(page, `/energyManagement/energyOverView?ProjectId=${old!.project}&of=${date}`)
    const flow = pane(page).getByRole('region', { name: e['energy.flow'] })
    await flow.getByText(`${counted} kWh`).first().waitFor()
    const open = flow.getByRole('button', { name: e['energy.made.events_one']!.replace('{count}', '1') })
    await open.first().click()
    const behind = dialog(page)
    const events = behind.getByRole('region', { name: t['meter.title'] })
    await events.getByText(t['meter.open']!).waitFor()
    await events.getByRole('button', { name: t['meter.answer'] }).click()
    await events.getByRole('radio', { name: t['meter.kind.2'] }).check()
    const reading = (name: string) => events.getByRole('spinbutton', { name: t[`meter.${name}`] })
    expect(await reading('OldEnd').inputValue()).toBe(String(before))
    await reading('OldEnd').fill(String(before + 5))
    await reading('NewStart').fill('0')
    await expectAccessible(page, '.ant-drawer')
    await expectFits(page)
    await events.getByRole('button', { name: t['meter.send'] }).click()
    await behind.waitFor({ state: 'hidden' })
    await flow
      .getByText(`${counted + 5 + 7} kWh`)
      .first()
      .waitFor()
    expect(await open.count()).toBe(0)
    expect(problems).toEqual([])
    await close()
  })

  it('a coil that was switched a day ago is told as openings of a door, the longest of them out of hours', patient, async () => {
    const { page, problems, close } = await openAs({ language: 'ja' })
    const range = `from=${yesterday + 9 * hour}&to=${yesterday + 23 * hour}`
    const row = pane(page).getByRole('row').filter({ hasText: 'Store door' }).first()
    const cells = async (...at: number[]) => {
      const texts = await row.getByRole('cell').allInnerTexts()
      return at.map((i) => texts[i])
    }
    const longest = '2 時間 15 分'
    await visit(page, `/dataAnalysis/deviceRecord?points=${doorPoint}&${range}`)
    // Time on, unknown, switchings, longest on.
    await expect.poll(() => cells(1, 3, 4, 5)).toEqual(['3 時間 15 分', '0 秒', '4', longest])
    // Openings, the longest, how many out of hours and for how long.
    const doors = `/dataAnalysis/doorStatistics?days=all&${range}`
    await visit(page, doors)
    await expect.poll(() => cells(1, 4, 6, 7)).toEqual(['2', longest, '1', longest])
    await expectAccessible(page)
    await visit(page, `${doors}&work-to=23:00`)
    await expect.poll(() => cells(1, 4, 6, 7)).toEqual(['2', longest, '0', '0 秒'])
    expect(problems).toEqual([])
    await close()
  })

  it('a coil that is switched now is told as openings of a door, which its standard parameter finds, on a phone', patient, async () => {
    const isOpen = async (value: 0 | 1) => {
      device.coils[0] = value
      await until(`the door ${value}`, async () => {
        const Now = Date.now()
        const body = { ParaIds: [doorPoint], Start: Now - hour, End: Now, PageSize: 1000 }
        const { Runs } = await api<{ Runs: { Items: { Value: number | null }[] } }>('POST', '/DataCenter/ReportData/IOData', body)
        return Runs.Items.findLast(({ Value }) => Value !== null)?.Value === value
      })
    }
    for (const value of [0, 1, 0, 1, 0] as const) await isOpen(value)
    const { page, problems, close } = await openAs({ width: 390, height: 844, language: 'es', dark: true })
    await visit(page, '/dataAnalysis/doorStatistics?range=1h')
    const row = pane(page).getByRole('row').filter({ hasText: 'Store door' })
    await expect.poll(() => row.first().getByRole('cell').nth(1).textContent(), { timeout: 60_000 }).toBe('2')
    await expectFits(page)
    // Its switchings, in a table that the keyboard alone scrolls.
    await visit(page, `/dataAnalysis/deviceRecord?points=${doorPoint}&range=1h`)
    await expect.poll(() => row.first().getByRole('cell').nth(4).textContent(), { timeout: 60_000 }).toBe('4')
    await expectFits(page)
    await expectAccessible(page)
    const box = pane(page).locator('.ant-table-body').first()
    await box.and(page.locator('[tabindex="0"]')).waitFor()
    const isAt = () => box.evaluate((el) => el === document.activeElement)
    for (let i = 0; i < 120 && !(await isAt()); i++) await page.keyboard.press('Tab')
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowRight')
        return box.evaluate((el) => el.scrollLeft)
      })
      .toBeGreaterThan(0)
    expect(problems).toEqual([])
    await close()
  })
})
