// A mapping report from the wizard to its approval by a third person, and a pdf with one byte changed.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import mqtt from 'mqtt'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { openFrontDoor, password, temporary, until } from '../front-door.ts'
import { dialog, downloaded, expectAccessible, expectFitsPhones, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'

const SN = 'COLDROOM0002'
const [minute, day] = [60_000, 86_400_000]
const reports = '/powerManagement/coldReports'
const proof = '/powerManagement/coldReportProof'

journey('a mapping report', { company: true, env: { PENSTOCK_DEMO: 'off', PENSTOCK_MQTT_PORT: '0' } }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let room: { Id: number }

  /** Three calibrated points that were read every five minutes for three days. */
  const readRoom = async (EnterpriseId: number) => {
    const project = await door.data('POST', '/Project/Project', { ProjectName: 'Cold store', EnterpriseId })
    const gateway = await door.data('POST', '/Project/Gateway', { GatewayName: 'Kit 2', SN, ProjectId: project.Id })
    const lan = { ProtocolName: 'LAN', GatewayId: gateway.Id, Ip: '127.0.0.1', Port: 1 }
    const net = await door.data('POST', '/Project/Protocol/NetProtocol', lan)
    const device = await door.data('POST', '/Project/Device', { DeviceName: 'Sensors', GatewayId: gateway.Id, NetProtocolId: net.Id })
    const ids: number[] = []
    for (const [i, name] of ['Corner', 'Centre', 'Door'].entries()) {
      const draft = { DeviceId: device.Id, ParaName: name, ParaUnitName: '°C', Address: String(i) }
      ids.push((await door.data('POST', '/Project/DevPara', draft)).Id)
    }
    room = await door.data('POST', '/ColdStorage/InfoPC', { StorageName: 'Vaccines', ProjectId: project.Id, TempLow: 2, TempHigh: 8 })
    const dayText = (ago: number) => new Date(Date.now() - ago * day).toISOString().slice(0, 10)
    const calibration = { CalibDate: dayText(100), CalibDue: dayText(-200), CalibOffset: 0 }
    const Sensors = ids.map((ParaId, i) => ({ ParaId, SensorType: 1, Position: i + 1, X: i * 2, Y: i, Z: 1, ...calibration }))
    await door.data('POST', '/ColdStorage/Init', { Id: room.Id, SN, Sensors, BindTime: `${dayText(5)} 00:00:00` })
    const { Key } = await door.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway.Id })
    const connect = { clientId: SN, username: SN, password: Key, reconnectPeriod: 0 }
    const client = await until('the broker', () =>
      mqtt.connectAsync(`mqtt://127.0.0.1:${at.penstock.mqttPort}`, connect).catch(() => undefined),
    )
    const from = Date.now() - 3 * day
    const items = Array.from({ length: (3 * day) / (5 * minute) - 1 }, (_, i) => ({
      ...{ D: device.Id, T: from + i * 5 * minute },
      V: Object.fromEntries(ids.map((id, k) => [id, 4 + k / 2])),
    }))
    const send = async () => {
      for (let i = 0; i < items.length; i += 100) {
        const Data = { Items: items.slice(i, i + 100), Backfill: 1 }
        await client.publishAsync(topic(SN, 'up', 'history'), JSON.stringify({ MsgId: crypto.randomUUID(), Ts: Date.now(), Data }), {
          qos: 1,
        })
      }
    }
    // The gateway is known a moment after its key was made.
    await until('the readings of three days', async () => {
      await send()
      const query = `ColdStorageId=${room.Id}&Start=${from + day}&End=${from + 2 * day}`
      const { Points } = await door.data<{ Points: { KnownPercent: number }[] }>('GET', `/ColdStorage/Statistics?${query}`)
      return Points.every(({ KnownPercent }) => KnownPercent > 99)
    })
    await client.endAsync(true)
  }
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const EnterpriseId = await door.ensureCompany()
    type Roles = { Items: { Id: number; RouteRole: string | null }[] }
    const { Items } = await door.data<Roles>('GET', `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`)
    const RoleIds = Items.filter(({ RouteRole }) => RouteRole === 'admin').map(({ Id }) => Id)
    for (const name of ['carla', 'pablo']) {
      const made = await door.data<{ OneTimePwd: string }>('POST', '/System/User', { UserNO: name, UserName: name, EnterpriseId, RoleIds })
      const own = await door.login(name, made.OneTimePwd)
      await door.data('POST', '/System/User/SetPwd', { OldPwd: made.OneTimePwd, NewPwd: password }, own)
    }
    await readRoom(EnterpriseId)
    const limits = { CriteriaName: 'One day', TempLow: 2, TempHigh: 8, MinPoints: 3, MinHours: 20 }
    await door.data('POST', '/ColdStorage/ReportCriteria', { ColdStorageId: room.Id, ...limits })
  }, 400_000)

  const sign = async (page: Page, act: string) => {
    await pane(page).getByRole('button', { name: act, exact: true }).click()
    await dialog(page).getByLabel('Password of your account').fill(password)
    await expectAccessible(page, '.ant-modal')
    await dialog(page).getByRole('button', { name: act, exact: true }).click()
  }

  it('is generated, checked and approved by three people; its pdf is genuine until a byte changes', async () => {
    const { page } = at
    await visit(page, reports)
    await pane(page)
      .getByRole('link', { name: 'New report' })
      .or(pane(page).getByRole('button', { name: 'New report' }))
      .first()
      .click()
    await pane(page).getByRole('combobox', { name: 'Cold room' }).click()
    await page.getByTitle('Vaccines').click()
    const purpose = () => pane(page).getByRole('textbox', { name: 'Purpose' })
    await purpose().fill('Yearly mapping')
    await pane(page).getByText('Sensors without a valid calibration: 0.').waitFor()
    await expectAccessible(page)
    // Reloaded, and nothing is lost.
    await page.reload()
    expect(await purpose().inputValue()).toBe('Yearly mapping')
    await pane(page).getByRole('combobox', { name: 'Acceptance criteria' }).click()
    await page.getByTitle(/^One day/).click()
    await pane(page).getByText('3 temperature points; the criteria ask for 3.').waitFor()
    await pane(page).getByRole('button', { name: 'Generate report' }).click()
    await page.waitForURL(/Id=\d+/)
    await pane(page).getByText('Pass').first().waitFor()
    await pane(page).getByText('Draft: not approved.').waitFor()
    // The plan at another moment, by keyboard.
    const plan = pane(page).getByRole('region', { name: 'Plan' })
    const moment = () => plan.locator('time').textContent()
    const before = await moment()
    await plan.getByRole('slider', { name: 'Moment' }).press('ArrowLeft')
    await expect.poll(moment).not.toBe(before)
    expect(await plan.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext')).toBe(await moment())
    await expectAccessible(page)
    await sign(page, 'Check')
    await dialog(page)
      .getByText(/three people/)
      .first()
      .waitFor()
    const address = new URL(page.url()).pathname + new URL(page.url()).search

    for (const [name, act, state] of [
      ['carla', 'Check', 'Checked'],
      ['pablo', 'Approve', 'Approved'],
    ] as const) {
      const other = await openBrowser(at.penstock.origin, { known: [name] })
      await openSignedIn(other.page, at.penstock.origin, name, password, address)
      await sign(other.page, act)
      await pane(other.page).locator('.detail-state').getByText(state).waitFor()
      expect(other.problems).toEqual([])
      if (name === 'pablo') {
        const file = await downloaded(other.page, () => pane(other.page).getByRole('button', { name: 'Download PDF' }).click())
        const path = join(temporary(), 'issued.pdf')
        await file.saveAs(path)
        const bytes = await readFile(path)
        bytes[bytes.length >> 1]! ^= 1
        const altered = path.replace('issued', 'altered')
        await writeFile(altered, bytes)
        await visit(other.page, `${proof}?ReportNo=${file.suggestedFilename().replace('.pdf', '')}`)
        for (const [given, text] of [
          [path, /^Genuine/],
          [altered, /^Altered/],
        ] as const) {
          await pane(other.page).locator('input[type=file]').setInputFiles(given)
          await pane(other.page).getByRole('button', { name: 'Verify', exact: true }).click()
          await pane(other.page).getByText(text).waitFor()
        }
        await expectAccessible(other.page)
      }
      await other.close()
    }
  }, 400_000)

  it('is read on a phone without scrolling sideways, in the other languages', async () => {
    const [{ Id }] = (await door.data<{ Items: { Id: number }[] }>('GET', '/ColdStorage/ReportCheckList')).Items as [{ Id: number }]
    await expectFitsPhones(at.penstock.origin, password, [reports, `${reports}?Id=${Id}`, `${reports}?new=1`, proof])
  }, 400_000)
})
