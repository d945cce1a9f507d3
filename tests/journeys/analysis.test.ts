// From a question to an answer that somebody else can open: a formula, a chart over earlier times, a note, and figures by shift.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor, password, until } from '../front-door.ts'
import { callApi, dialog, expectAccessible, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'
import { plantOf } from './plant.ts'

type Rows<T> = { Items: T[] }

journey('questions to the data', { env: {}, target: '/dataAnalysis/formulas' }, (at) => {
  let token: string | undefined
  const api = <T>(method: string, path: string, body?: unknown) => callApi<T>(at.penstock.origin, token, method, path, body)
  let formula: number
  let project: { Id: number; ProjectName: string }
  let point: number
  beforeAll(async () => {
    token = (await api<{ Token: string }>('POST', '/Auth/Login', { UserNO: 'admin', Pwd: password })).Token
  })

  it('a formula is checked and drawn while it is typed', async () => {
    const { page } = at
    point = (await plantOf(api)).read.id
    const [placed] = await api<{ ProjectId: number }[]>('GET', `/Alarm/AlarmRule/ParaSearch?ParaIds=${point}`)
    project = await api('GET', `/Project/Project?Id=${placed!.ProjectId}`)
    await pane(page).getByRole('button', { name: 'Add formula point' }).first().click()
    const form = dialog(page)
    await form.getByLabel('Name', { exact: true }).fill('Twice and one')
    await form.getByLabel('Project', { exact: true }).click()
    await page.keyboard.type(project.ProjectName)
    await page.locator('.ant-select-dropdown:visible').getByTitle(project.ProjectName, { exact: true }).first().click()
    await form.getByLabel('Formula', { exact: true }).fill(`2 * #${point} +`)
    await form.getByText(/The expression ends too early/).waitFor()
    await form.getByLabel('Formula', { exact: true }).fill(`2 * #${point} + 1`)
    await form.getByText('The last 24 hours').waitFor()
    await form.locator('.uplot').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    const { Items } = await api<Rows<{ Id: number; FormulaName: string }>>('GET', '/DataCenter/FormulaPoint/List')
    formula = Items.find(({ FormulaName }) => FormulaName === 'Twice and one')!.Id
  }, 300_000)

  it('a chart of it over earlier times, with figures and a note, opens from its address', async () => {
    const { page } = at
    const address = `/dataAnalysis/realTimeData?points=${point},${formula}&compare=previous&events=on&figures=on`
    await visit(page, `${address}&range=6h`)
    const here = pane(page)
    await here.locator('.uplot').waitFor()
    // A link leads to its range, also where the screen is open.
    for (const span of ['24 h', '6 h']) {
      await visit(page, `${address}&range=${span.replace(' ', '')}`)
      await expect.poll(() => here.getByRole('radio', { name: span, exact: true }).isChecked()).toBe(true)
    }
    await here.getByText('Twice and one · The period before').first().waitFor()
    await here.getByRole('heading', { name: /Statistics of this time/ }).waitFor()
    await here.getByRole('button', { name: 'Add note' }).click()
    await dialog(page).getByLabel('Note', { exact: true }).fill('Filter cleaned')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).waitFor({ state: 'hidden' })
    await here.getByRole('img', { name: /Filter cleaned/ }).waitFor()
    await here.getByRole('button', { name: 'Show table' }).click()
    // The last time first; a column for each curve, and one for each over the period before.
    await expect
      .poll(() => here.getByRole('table', { name: 'Trends' }).getByRole('row').nth(1).getByRole('cell').count())
      .toBeGreaterThan(4)
    await expectAccessible(page)

    // A person who may only look opens the same by the link.
    const link = page.url()
    const { EnterpriseId } = await api<{ EnterpriseId: number }>('GET', `/Project/Project?Id=${project.Id}`)
    const roles = await api<Rows<{ Id: number; RoleName: string }>>('GET', `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`)
    const RoleIds = roles.Items.filter(({ RoleName }) => RoleName === 'Viewer').map(({ Id }) => Id)
    const { OneTimePwd } = await api<{ OneTimePwd: string }>('POST', '/System/User', {
      ...{ UserNO: 'vico', UserName: 'Vico', EnterpriseId, RoleIds },
    })
    const door = await openFrontDoor(at.penstock.origin)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login('vico', OneTimePwd))
    const viewer = await openBrowser(at.penstock.origin, { known: ['vico'] })
    await openSignedIn(viewer.page, at.penstock.origin, 'vico', password, new URL(link).pathname + new URL(link).search)
    await pane(viewer.page).getByText('Twice and one · The period before').first().waitFor()
    await pane(viewer.page)
      .getByRole('img', { name: /Filter cleaned/ })
      .waitFor()
    expect(await pane(viewer.page).getByRole('button', { name: 'Add note' }).count()).toBe(0)
    expect(viewer.problems).toEqual([])
    await viewer.close()
  }, 300_000)

  it('a point is found by the model of its device', async () => {
    const { page } = at
    const device = (await plantOf(api)).read.deviceId
    const { Id: ModelId } = await api<{ Id: number }>('POST', '/ProModel/ProModel', {
      ...{
        ModelName: 'Lime doser LD-5',
        EnterpriseId: (await api<{ EnterpriseId: number }>('GET', `/Project/Project?Id=${project.Id}`)).EnterpriseId,
      },
    })
    await api('PUT', '/Project/Device', { Id: device, ModelId })
    const { DeviceName } = await api<{ DeviceName: string }>('GET', `/Project/Device?Id=${device}`)
    await visit(page, '/dataAnalysis/realTimeData?range=1h')
    await pane(page).getByRole('button', { name: 'Clear all' }).click()
    await pane(page)
      .getByRole('combobox', { name: /^Choose/ })
      .first()
      .fill('Lime doser')
    const list = page.locator('.ant-select-dropdown:visible')
    await expect.poll(() => list.locator('.ant-select-item-group').allInnerTexts(), { timeout: 60_000 }).toEqual([DeviceName])
    await list.locator('.ant-select-item-option').first().click()
    await page.waitForURL(/points=\d+/)
    await pane(page).locator('.uplot').waitFor()
  }, 300_000)

  it('a point is dragged from the tree onto the chart, or ticked there by keyboard', async () => {
    const { page } = at
    const device = (await plantOf(api)).read.deviceId
    const { DeviceName } = await api<{ DeviceName: string }>('GET', `/Project/Device?Id=${device}`)
    const { Items } = await api<Rows<{ ParaId: number; ParaName: string }>>('GET', `/DataCenter/ReportData/PointList?DeviceId=${device}`)
    const [dragged, ticked] = Items.filter(({ ParaId }) => ParaId !== point)
    await visit(page, `/dataAnalysis/realTimeData?points=${point}&range=1h`)
    const chart = pane(page).locator('.uplot')
    await chart.waitFor()
    await pane(page).getByRole('button', { name: 'Choose by device' }).click()
    const tree = dialog(page)
    await tree.getByRole('searchbox').fill(DeviceName)
    await tree.getByText(DeviceName, { exact: true }).first().click()
    const line = tree.locator('[draggable=true]', { hasText: dragged!.ParaName }).first()
    await line.dragTo(chart, { targetPosition: { x: 40, y: 40 } })
    await page.waitForURL((url) => url.searchParams.get('points') === `${point},${dragged!.ParaId}`)
    await tree.getByRole('checkbox', { name: new RegExp(`^${ticked!.ParaName}`) }).press('Space')
    await page.waitForURL((url) => url.searchParams.get('points') === `${point},${dragged!.ParaId},${ticked!.ParaId}`)
    await page.keyboard.press('Escape')
  }, 300_000)

  it('[devpara-delay] points are drawn, and found by typing, at once; the list of all points alone may come late, and says what it leaves out', async () => {
    const device = (await plantOf(api)).read.deviceId
    type Point = { ParaName: string; DeviceId: number; DeviceName: string; IsChartShow: number }
    const all = await api<Point[]>('GET', '/DataCenter/ReportData/AllDevParaInfo')
    const other = all.find((p) => p.DeviceId !== device && p.IsChartShow !== 0)!
    const { page, problems, close } = await openBrowser(at.penstock.origin)
    let arrive = () => {}
    const late = new Promise<void>((done) => (arrive = done))
    await page.route(/\/AllDevParaInfo(?!\?ParaIds)/, async (route) => {
      await late
      const response = await route.fetch()
      // As of a plant with more points than an answer holds.
      await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': String(all.length + 2345) } })
    })
    const choice = () => pane(page).getByRole('combobox', { name: /^Choose/ })
    const offered = () => page.locator('.ant-select-dropdown:visible .ant-select-item-option')
    await openSignedIn(page, at.penstock.origin, 'admin', password, `/projectManagement/devicePointList?Id=${device}&tab=trend`)
    for (const target of [undefined, '/dataAnalysis/realTimeData?range=1h']) {
      if (target) await visit(page, target)
      await pane(page).locator('.uplot').waitFor()
      await choice().first().fill(other.DeviceName)
      await offered().filter({ hasText: other.ParaName }).first().click()
      await page.waitForURL((url) => url.searchParams.get('points')?.includes(',') === true)
      await page.keyboard.press('Escape')
    }
    await visit(page, '/projectManagement/realTimeData')
    arrive()
    await pane(page).getByText('2345 more points are not listed', { exact: false }).waitFor()
    expect(problems).toEqual([])
    await close()
  }, 300_000)

  it('a project has shifts, and the data query is divided by them', async () => {
    const { page } = at
    const Times = [
      { Name: 'Early', Start: '06:00', End: '14:00' },
      { Name: 'Late', Start: '14:00', End: '22:00' },
      { Name: 'Night', Start: '22:00', End: '06:00' },
    ]
    await api('POST', '/Project/ShiftPlan', { ProjectId: project.Id, PlanName: 'Three shifts', ValidFrom: '2020-01-01', Times })
    await visit(page, `/dataAnalysis/dataQuery?points=${point}&range=24h&unit=shift`)
    await until(
      'rows of shifts',
      async () =>
        (await pane(page)
          .getByText(/^\d{4}-\d\d-\d\d (Early|Late|Night)$/)
          .count()) > 0,
    )
    expect(await pane(page).getByText('Shifts', { exact: true }).count()).toBeGreaterThan(0)
  }, 300_000)
})
