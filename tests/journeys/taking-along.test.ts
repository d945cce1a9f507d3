// What leaves: readings as a file with progress, a report by the clock with late data and its revision, and a group that something uses.
import { readFileSync } from 'node:fs'
import mqtt from 'mqtt'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import type { Language } from '../../contract/languages.ts'
import { startMailServer } from '../../main/testing/providers.ts'
import { type FrontDoor, openFrontDoor, password, until } from '../front-door.ts'
import { dialog, downloaded, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, shownIn, visit } from './browser.ts'
import { handsOf } from './hands.ts'
import { chooseLanguage } from './walk.ts'

const [minute, hour] = [60_000, 3_600_000]
const env = { PENSTOCK_DEMO: 'off', PENSTOCK_OUTBOUND: '127.0.0.1/32' }
const wordsOf = (language: Language): Record<string, string> =>
  Object.assign(
    {},
    ...['reports', 'data-analysis'].map((area) =>
      JSON.parse(readFileSync(new URL(`../../areas/analysis/${area}/words/${language}.json`, import.meta.url), 'utf8')),
    ),
  )

const patient = { timeout: 300_000 }
journey('data that leaves', { env }, (at) => {
  let door: FrontDoor
  let token: string
  let mail: Awaited<ReturnType<typeof startMailServer>>
  let gateway: mqtt.MqttClient
  let window: Awaited<ReturnType<typeof openBrowser>>
  let device: number
  /** A level, and twelve points that have a reading each second. */
  let [level, many] = [0, [] as number[]]
  /** Midnights in Madrid. */
  let [yesterday, today] = [0, 0]
  const api = <T = { Id: number }>(method: string, path: string, body?: unknown) => door.data<T>(method, path, body, token)
  /** Readings of the past. */
  const send = async (times: readonly number[], values: (time: number) => Record<string, number>) => {
    for (let i = 0; i < times.length; i += 1000) {
      const Items = times.slice(i, i + 1000).map((T) => ({ D: device, T, V: values(T) }))
      const message = { MsgId: crypto.randomUUID(), Ts: Date.now(), Data: { Backfill: 1, Batch: 1, Last: 1, Items } }
      await gateway.publishAsync(topic('LEAVING00001', 'up', 'history'), JSON.stringify(message), { qos: 1 })
    }
  }
  /** Makes things older than they are: clocks of the server are not those of the test. */
  const change = async (statement: string) => {
    const client = new pg.Client({ connectionString: at.penstock.databaseUrl! })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const times = (from: number, to: number, step: number) => Array.from({ length: (to - from) / step }, (_, i) => from + i * step)

  beforeAll(async () => {
    mail = await startMailServer()
    door = await openFrontDoor(at.penstock.origin)
    const manager = { Name: 'Riverside', ManagerNO: 'rita', ManagerName: 'Rita', TimeZoneKey: 'Europe/Madrid' }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/Enterprise', manager)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login('rita', OneTimePwd))
    token = await door.login('rita')
    await api('PUT', '/System/User/Account', { Email: 'rita@example.com', Pwd: password })
    await api('PUT', '/System/WechatConfig/MessagePush', {
      ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer' },
      ...{ EmailPassword: 'mail secret', EmailFrom: 'Penstock <reports@example.com>' },
    })
    const project = await api('POST', '/Project/Project', { ProjectName: 'Works' })
    const of = await api('POST', '/Project/Gateway', { GatewayName: 'Works', SN: 'LEAVING00001', ProjectId: project.Id })
    const channel = { ProtocolName: 'Network', GatewayId: of.Id, Ip: '127.0.0.1', Port: 1 }
    const { Id: NetProtocolId } = await api('POST', '/Project/Protocol/NetProtocol', channel)
    device = (await api('POST', '/Project/Device', { DeviceName: 'Basin', GatewayId: of.Id, NetProtocolId })).Id
    const point = async (ParaName: string, UploadPeriod: number) =>
      (await api('POST', '/Project/DevPara', { DeviceId: device, ParaName, Address: '0', UploadMode: 0, UploadPeriod })).Id
    level = await point('Level', 600)
    for (let i = 1; i <= 12; i++) many.push(await point(`Sensor ${i}`, 1))
    const { Key } = await api<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: of.Id })
    const client = { clientId: 'LEAVING00001', username: 'LEAVING00001', password: Key }
    gateway = await mqtt.connectAsync(`mqtt://127.0.0.1:${at.penstock.mqttPort}`, client)
    const date = (time: number) => new Date(time).toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' })
    const midnight = (text: string) =>
      [1, 2].map((h) => Date.parse(`${text}T00:00:00Z`) - h * hour).find((time) => date(time) === text && date(time - 1) !== text)!
    today = midnight(date(Date.now()))
    yesterday = midnight(date(today - 12 * hour))
    window = await openBrowser(at.penstock.origin, { known: ['rita'] })
    Object.assign(at, { page: window.page })
    await openSignedIn(at.page, at.penstock.origin, 'rita', password, '/dataAnalysis/group')
  })
  afterAll(async () => {
    await gateway?.endAsync(true)
    await window?.close()
    await mail?.close()
  })
  const { row, act, choose } = handsOf(at)
  /** Puts a widget that shows something onto a new dashboard. */
  const showOnBoard = async (title: string, kind: string, field: string, shown: string) => {
    const { page } = at
    await visit(page, '/visualizationCenter/visualizationCenter?list=1')
    await pane(page).getByRole('button', { name: 'Add dashboard' }).first().click()
    await dialog(page).getByLabel('Title').fill(title)
    await dialog(page).getByRole('button', { name: 'Create' }).click()
    await pane(page).getByRole('button', { name: 'Add widget' }).click()
    await page.getByRole('menuitem', { name: kind, exact: true }).click()
    const settings = pane(page).getByRole('complementary', { name: `Settings of ${kind}` })
    await settings.getByLabel(field).click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: shown }).click()
    await pane(page).getByRole('button', { name: 'Save', exact: true }).click()
    await pane(page).getByRole('button', { name: 'Edit' }).waitFor()
  }
  /** Its removal is refused, with what uses it. */
  const isKept = async (name: string, user: string) => {
    await act(name, 'Delete')
    await dialog(at.page).getByRole('button', { name: 'Delete' }).click()
    await at.page.getByText('This record is still in use', { exact: false }).filter({ hasText: user }).waitFor()
  }

  it('100,000 rows leave with progress while people work on, are cancelled, and leave again', patient, async () => {
    const { page } = at
    const [from, rows] = [yesterday - 12 * hour, 100_000]
    await send(times(from, from + rows * 1000, 1000), (T) => Object.fromEntries(many.map((id, i) => [id, ((T / 1000) % 1000) + i / 10])))
    await visit(page, `/dataAnalysis/dataQuery?points=${many}&unit=hour&from=${from}&to=${from + rows * 1000}`)
    const begin = async (format: RegExp) => {
      await pane(page).getByRole('button', { name: 'Export…' }).click()
      await choose(dialog(page), 'Format', format)
      await choose(dialog(page), 'Interval', /Raw|readings/i)
      await dialog(page).getByRole('button', { name: 'Export', exact: true }).click()
    }
    await begin(/Excel/)
    const tray = page.getByRole('region', { name: 'Exports' })
    const bar = tray.getByRole('progressbar')
    await expect.poll(() => bar.getAttribute('aria-valuenow').then(Number)).toBeGreaterThan(0)
    await tray.getByText(/^[\d,]+ rows, \d+ %$/).waitFor()
    // The dialog closes, and another screen opens during the export.
    await visit(page, '/dataAnalysis/reportTemplates')
    await pane(page).getByRole('button', { name: 'Add report template' }).first().waitFor()
    expect(await bar.count()).toBe(1)
    await tray.getByRole('button', { name: /^Cancel / }).click()
    await tray.getByText('No exports yet.', { exact: false }).waitFor()

    await visit(page, `/dataAnalysis/dataQuery?points=${many}&unit=hour&from=${from}&to=${from + rows * 1000}`)
    await begin(/CSV/)
    await tray.getByRole('button', { name: /^Cancel / }).waitFor()
    // A tab that leaves in the middle changes nothing; the link of the notice leads to the file.
    await page.goto(`${at.penstock.origin}/healthz`)
    await page.goto(`${at.penstock.origin}/dataAnalysis/dataQuery?exports=1`)
    await tray.getByText(/^100,000 rows, /).waitFor()
    const file = await downloaded(page, () => tray.getByRole('button', { name: /^Download / }).click())
    const text = readFileSync(await file.path(), 'utf8').trimEnd()
    expect(text.split('\r\n').filter((line) => /^\d{4}-\d\d-\d\dT/.test(line))).toHaveLength(rows)
    await tray.getByRole('button', { name: 'Close exports' }).click()
  })

  it('a template is looked at in four languages, goes out by the clock, and is made again with what came late', patient, async () => {
    const { page } = at
    await api('POST', '/DataCenter/ReportGroup', { GroupName: 'Basin', GroupType: 3, Points: [{ ParaId: level }] })
    await visit(page, '/dataAnalysis/reportTemplates')
    await pane(page).getByRole('button', { name: 'Add report template' }).first().click()
    const form = dialog(page)
    await form.getByLabel('Name', { exact: true }).fill('Day of the basin')
    await choose(form, 'Point group', 'Basin')
    await choose(form, 'Start from a built-in report', 'Daily operation')
    // Nothing has come yet: it says so, where axes alone would look like zero.
    await form.getByText('No readings in this period. Choose a longer or an earlier one.').first().waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    // The gap of three hours comes late.
    const [gap, end] = [yesterday + 6 * hour, yesterday + 9 * hour]
    const all = times(yesterday, today, 10 * minute)
    await send(
      all.filter((T) => T < gap || T >= end),
      (T) => ({ [level]: 2 + ((T / hour) % 3) }),
    )
    for (const language of ['zh', 'es', 'ja', 'en'] as const) {
      const t = wordsOf(language)
      await chooseLanguage(page, language)
      await row('Day of the basin').locator('[data-key=edit]').click()
      await dialog(page).getByRole('heading', { name: t['reportTemplate.preview']! }).waitFor()
      await dialog(page).locator('.report-view').getByRole('heading', { name: t['report.block.keyFigures']!, exact: true }).waitFor()
      await dialog(page).locator('.report-view svg').first().waitFor()
      expect(await dialog(page).getByText(t['explore.noData']!).count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'hidden' })
    }
    await visit(page, '/dataAnalysis/reportSchedules')
    await pane(page).getByRole('button', { name: 'Add report schedule' }).first().click()
    await form.getByLabel('Name', { exact: true }).fill('Every morning')
    await choose(form, 'Template', 'Day of the basin')
    await choose(form, 'By e-mail to', 'Rita')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })

    const timers = await door.data<{ Items: { Id: number; Method: string }[] }>('GET', '/System/Timer/List?PageSize=100')
    const reports = timers.Items.find(({ Method }) => Method === 'reports')!.Id
    /** Runs what is due. The timer may be running already. */
    const tick = () => until('the timer', async () => (await door.call(door.admin, 'POST', '/System/Timer/Run', { Id: reports })).Succeeded)
    await change(`update report_schedule set "NextTime" = now() - interval '1 minute'`)
    await tick()
    const [sent] = await until('the mail', () => mail.mails.length > 0 && mail.mails)
    expect(sent!.to).toEqual(['rita@example.com'])
    // %PDF- as base64.
    expect(sent!.text).toMatch(/application\/pdf[\s\S]*\r?\n\r?\nJVBERi/)
    await visit(page, '/dataAnalysis/reportRuns')
    const runs = pane(page).getByRole('row').filter({ hasText: 'day-of-the-basin' })
    await runs.first().getByText('Made', { exact: true }).waitFor()
    await runs.getByText('88.9 %').waitFor()

    await send(
      all.filter((T) => T >= gap && T < end),
      () => ({ [level]: 9 }),
    )
    // An hour later.
    await change(`update report_run set "MadeTime" = "MadeTime" - interval '1 hour', "CheckTime" = "CheckTime" - interval '1 hour'`)
    await tick()
    await runs.getByText('data arrived later: 1 point').waitFor()
    await expectAccessible(page)
    await runs.getByRole('button', { name: /^More actions/ }).click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: 'Make again' }).click()
    await dialog(page).getByRole('button', { name: 'Make again' }).click()
    await expect.poll(() => runs.filter({ hasText: '100.0 %' }).count()).toBe(1)
    // The first one stays beside its revision, with its mark.
    expect(await runs.filter({ hasText: '88.9 %' }).getByText('data arrived later: 1 point').count()).toBe(1)
    expect(await runs.filter({ hasText: '100.0 %' }).getByText('data arrived later').count()).toBe(0)

    // For another period than the schedule's, sent to no one.
    await visit(page, '/dataAnalysis/reportSchedules')
    await act('Every morning', 'Make now')
    expect(await shownIn(dialog(page))).toContain('Same as the template')
    await choose(dialog(page), '* Period', 'The last whole week')
    await dialog(page).getByRole('button', { name: 'Make now' }).click()
    await dialog(page).waitFor({ state: 'hidden' })
    await visit(page, '/dataAnalysis/reportRuns')
    const monday = new Date(today + 12 * hour - ((new Date(today + 12 * hour).getUTCDay() + 6) % 7) * 24 * hour)
    const first = new Date(monday.getTime() - 7 * 24 * hour).toISOString().slice(0, 10)
    const week = runs.filter({ hasText: `day-of-the-basin-${first}-` })
    await week.getByText('Made', { exact: true }).waitFor()
    expect(await week.getByText(`${first} 00:00`).count()).toBe(1)
    expect(mail.mails).toHaveLength(1)
  })

  it('a group is kept from a chart and shown on a dashboard, and does not go while that uses it', patient, async () => {
    const { page } = at
    await visit(page, `/dataAnalysis/realTimeData?points=${level}&from=${yesterday}&to=${today}`)
    await pane(page).getByRole('button', { name: 'Save as group' }).click()
    await dialog(page).getByLabel('Name').fill('Levels')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as group “Levels”.').waitFor()
    const groups = await api<{ Id: number; GroupName: string }[]>('GET', '/DataCenter/ReportGroup/SettingSelectList')
    await visit(page, `/dataAnalysis/groupRealTimeData?group=${groups.find(({ GroupName }) => GroupName === 'Levels')!.Id}&as=tiles`)
    await pane(page).getByRole('link', { name: /Level/ }).waitFor()
    await expectAccessible(page)
    await showOnBoard('Night shift', 'Trend', 'Report group', 'Levels')
    await pane(page).getByText('Level', { exact: true }).first().waitFor()

    await visit(page, '/dataAnalysis/group')
    await isKept('Levels', 'Dashboard: Night shift')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await api('GET', '/DataCenter/ReportGroup/SettingSelectList').then((groups) =>
      expect(groups).toEqual(expect.arrayContaining([expect.objectContaining({ GroupName: 'Levels' })])),
    )
    expect(window.problems.filter((problem) => !problem.startsWith('409 '))).toEqual([])
  })

  it('a chart is saved and shown on a dashboard, and does not go while that uses it', patient, async () => {
    const { page } = at
    await visit(page, `/dataAnalysis/statisticalCharts?points=${level}&kind=bars&range=7d`)
    await pane(page).getByRole('region', { name: /Level/ }).waitFor()
    await pane(page).getByRole('button', { name: 'Save chart' }).click()
    await dialog(page).getByLabel('Name').fill('Levels by day')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as “Levels by day”.').waitFor()
    await dialog(page).waitFor({ state: 'hidden' })
    await showOnBoard('Day shift', 'Saved chart', 'Saved chart', 'Levels by day')
    await pane(page).getByRole('region', { name: 'Levels by day' }).locator('svg').first().waitFor()
    await expectAccessible(page)
    await visit(page, '/dataAnalysis/chartsSetting')
    await isKept('Levels by day', 'Dashboard: Day shift')
    await pane(page).getByRole('row').filter({ hasText: 'Levels by day' }).first().waitFor()
    // The group that keeps its points stays, too.
    await visit(page, '/dataAnalysis/group')
    await isKept('Levels by day', 'Chart: Levels by day')
    expect(window.problems.filter((problem) => !problem.startsWith('409 '))).toEqual([])
  })
})
