// A cold room from the label of its gateway to a door that stays open: the wizard, the excursion and the check, in three languages.
import mqtt from 'mqtt'
import { expect, it } from 'vitest'
import { topic } from '../../contract/gateway-protocol.ts'
import { openFrontDoor, password, until } from '../front-door.ts'
import { expectAccessible, expectFitsPhones, journey, pane, visit } from './browser.ts'

const SN = 'COLDROOM0001'
const screens = [
  '/powerManagement/coldRooms',
  '/powerManagement/combination',
  '/alarmManagement/coldStorageAlarm',
  '/powerManagement/coldStorageReport',
]

journey('a cold room', { company: true, env: { PENSTOCK_DEMO: 'off', PENSTOCK_MQTT_PORT: '0' } }, (at) => {
  it('is set up by the serial number of its gateway, keeps what was filled in, and says when it was too warm', async () => {
    const { page, penstock } = at
    const door = await openFrontDoor(penstock.origin)
    const EnterpriseId = await door.ensureCompany()
    const project = await door.data('POST', '/Project/Project', { ProjectName: 'Cold store', EnterpriseId })
    const gateway = await door.data('POST', '/Project/Gateway', { GatewayName: 'Kit 1', SN, ProjectId: project.Id })
    const net = await door.data('POST', '/Project/Protocol/NetProtocol', {
      ProtocolName: 'LAN',
      GatewayId: gateway.Id,
      Ip: '127.0.0.1',
      Port: 1,
    })
    const device = await door.data('POST', '/Project/Device', { DeviceName: 'Sensors', GatewayId: gateway.Id, NetProtocolId: net.Id })
    const point = (ParaName: string, ParaUnitName: string, Address: string) =>
      door.data('POST', '/Project/DevPara', { DeviceId: device.Id, ParaName, ParaUnitName, Address })
    const air = await point('Air temperature, centre', '°C', '0')
    await point('Air humidity', '%', '1')
    await point('Set point', '°C', '2')
    const room = await door.data('POST', '/ColdStorage/InfoPC', { StorageName: 'Vaccines', ProjectId: project.Id, TempLow: 2, TempHigh: 8 })

    await visit(page, screens[0]!)
    await pane(page).getByRole('button', { name: 'Set up' }).click()
    const wizard = () => page.getByRole('dialog', { name: 'Set up Vaccines' })
    await wizard().getByRole('searchbox', { name: 'Serial number of the gateway' }).fill(SN.toLowerCase())
    await wizard().getByRole('button', { name: 'Find sensors' }).click()
    await wizard().getByText('Air temperature, centre').waitFor()
    const serial = () => wizard().getByRole('textbox', { name: /Air temperature, centre: Serial number/ })
    await serial().fill('T-0042')
    await expectAccessible(page, '.ant-drawer')
    // Closed and reloaded, and nothing is lost.
    await page.keyboard.press('Escape')
    await page.reload()
    await pane(page).getByRole('button', { name: 'Set up' }).click()
    await wizard().getByText('Air temperature, centre').waitFor()
    expect(await serial().inputValue()).toBe('T-0042')
    await wizard().getByRole('button', { name: 'Bind 2 sensors' }).click()
    await wizard().getByText('The room is ready. Its alarms are on.').waitFor()
    await page.keyboard.press('Escape')
    const state = await door.data<{ Finished: number }>('GET', `/ColdStorage/InitFinished?Id=${room.Id}`)
    expect(state.Finished).toBe(1)

    const { Key } = await door.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway.Id })
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${penstock.mqttPort}`, {
      clientId: SN,
      username: SN,
      password: Key,
      reconnectPeriod: 0,
    })
    const send = (value: number) =>
      client.publishAsync(
        topic(SN, 'up', 'data'),
        JSON.stringify({
          MsgId: crypto.randomUUID(),
          Ts: Date.now(),
          Data: { Items: [{ D: device.Id, T: Date.now(), V: { [air.Id]: value } }] },
        }),
        { qos: 1 },
      )
    type Excursion = { Items: { Ended: number; PeakValue: number }[] }
    const excursions = () => door.data<Excursion>('GET', '/ColdStorage/Excursion/List')
    // The gateway is known a moment after its key was made.
    await until('an excursion that goes on', async () => {
      await send(9.5)
      return (await excursions()).Items.some(({ Ended, PeakValue }) => Ended === 0 && PeakValue === 9.5)
    })
    await until(
      'its alarm',
      async () => (await door.data<{ Items: { AlarmType: number }[] }>('GET', '/Alarm/AlarmInfo/List?AlarmType=4')).Items.length > 0,
    )
    await send(6)
    await until('its end', async () => (await excursions()).Items.every(({ Ended }) => Ended === 1))
    await client.endAsync(true)

    await visit(page, screens[2]!)
    await pane(page).getByText('Back in the band').first().waitFor()
    await expectAccessible(page)
    await visit(page, `${screens[0]}?Id=${room.Id}`)
    await pane(page).getByRole('tab', { name: 'Sensors' }).click()
    await pane(page).getByText('T-0042').waitFor()
    await expectAccessible(page)
    await visit(page, `${screens[3]}?ColdStorageId=${room.Id}`)
    await pane(page).getByText('Not enough data for a check').waitFor()
    await expectAccessible(page)
  }, 400_000)

  it('is read on a phone without scrolling sideways, in the other languages', async () => {
    await expectFitsPhones(at.penstock.origin, password, screens)
  }, 400_000)
})
