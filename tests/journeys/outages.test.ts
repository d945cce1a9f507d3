// An edge node of Sparkplug B dies and is born again, and its chart says so; an authority that speaks HJ 212 is away for a while.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import mqtt from 'mqtt'
import { get } from 'sparkplug-payload'
import { beforeAll, expect, it } from 'vitest'
import { freePort } from '../../main/testing/freePort.ts'
import { createFrameReader } from '../../server/hj212/frame.ts'
import { answerTo, readMessage } from '../../server/hj212/message.ts'
import { type FrontDoor, openFrontDoor, until } from '../front-door.ts'
import { expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

const authorityPort = await freePort()
const env = { PENSTOCK_DEMO: 'off', PENSTOCK_OUTBOUND: `127.0.0.1/32:${authorityPort}` }
journey('outages', { company: true, target: '/protocolManagement/networkPlugin', env }, (at) => {
  let door: FrontDoor
  let project = 0
  let node: { Id: number; Token: string }
  let point = 0
  let client: mqtt.MqttClient
  const say = (kind: string, seq: number, value: number) => {
    const metrics = [{ name: 'w01018', type: 'Double', value, timestamp: Date.now() }] as never
    const payload = Buffer.from(get('spBv1.0')!.encodePayload({ timestamp: Date.now(), seq, metrics }))
    return client.publishAsync(`spBv1.0/Plant/${kind}/Line 1`, payload, { qos: 1 })
  }
  const connect = async () => {
    client = await mqtt.connectAsync(`mqtt://127.0.0.1:${at.penstock.mqttPort}`, {
      ...{ username: 'penstock', password: node.Token, reconnectPeriod: 0 },
    })
    client.on('error', () => undefined)
  }
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    project = (await door.data('POST', '/Project/Project', { ProjectName: 'Works', EnterpriseId: await door.ensureCompany() })).Id
    const edge = { ComponentName: 'Line 1', Language: 4, ProjectId: project, SparkplugGroup: 'Plant', SparkplugNode: 'Line 1' }
    node = await door.data('POST', '/Protocol/NetworkComponents', edge)
  })

  it('the page of an edge node says what to enter there, and makes points of its birth', async () => {
    const { page } = at
    await visit(page, `/protocolManagement/networkPlugin?Id=${node.Id}`)
    await pane(page).getByText('Group ID: Plant').waitFor()
    await connect()
    await say('NBIRTH', 0, 20)
    await pane(page).getByRole('button', { name: 'Make 1 point' }).click()
    await page.getByText('Points added: 1.').waitFor()
    await expectAccessible(page)
    const { Items } = await door.data<{ Items: { Id: number }[] }>('GET', '/V2/Project/DevPara/List?PageSize=10')
    point = Items[0]!.Id
  })

  it('its death is a gap in the chart, and its next birth ends it', async () => {
    const { page } = at
    const valuesOf = async () => {
      const [Start, End] = [Date.now() - 600_000, Date.now() + 60_000]
      const body = { ParaIds: [point], Start, End, Buckets: 1000 }
      const { Series } = await door.data<{ Series: { Last: (number | null)[] }[] }>('POST', '/DataCenter/ReportData/Data', body)
      return Series[0]?.Last ?? []
    }
    let seq = 1
    await until('a point that takes values', async () => {
      await say('NDATA', seq++, 21)
      return (await valuesOf()).includes(21)
    })
    client.stream.destroy()
    await until('its death', async () => (await valuesOf()).at(-1) === null)
    await connect()
    await say('NBIRTH', 0, 25)
    await until('its birth', async () => (await valuesOf()).at(-1) === 25)
    expect(JSON.stringify(await valuesOf())).toMatch(/21,null,25\]$/)
    await visit(page, `/dataAnalysis/realTimeData?points=${point}&range=1h`)
    await pane(page).locator('.uplot').waitFor()
    await visit(page, `/dataAnalysis/dataQuery?points=${point}&range=1h&unit=raw`)
    await settled(page)
  })

  it('an authority that is away is said to be, and gets all of it, in order, once it is back', async () => {
    const { page } = at
    const MN = '010000A8900016F000169DC0'
    const body = {
      AccessName: 'Authority',
      ProjectId: project,
      Target: 3,
      Url: `tcp://127.0.0.1:${authorityPort}`,
      MN,
      Mode: 2,
      Period: 10,
    }
    const { Id } = await door.data('POST', '/Project/ThirdPartyAccess', body)
    type Row = { SendStatus: number; Sent: number; Waiting: number }
    const row = () => door.data<Row>('GET', `/Project/ThirdPartyAccess?Id=${Id}`)
    let n = 0
    const soon = () => door.data('PUT', '/Project/ThirdPartyAccess', { Id, Remark: `again ${n++}` })
    // Its place is where the first attempt finds the store.
    let seq = 1
    await until('what fails', async () => {
      await say('NDATA', seq++, 30 + seq)
      await soon()
      return (await row()).SendStatus === 2
    })
    await visit(page, '/projectManagement/thirdPartyAccess')
    await pane(page).getByText('The receiver cannot be reached.').waitFor()
    await expectAccessible(page)
    const first = (await row()).Waiting
    await say('NDATA', seq++, 99)
    const heard: number[] = []
    const authority = createServer((socket: Socket) => {
      const reader = createFrameReader()
      socket.on('error', () => undefined)
      socket.on('data', (bytes: Buffer) => {
        for (const frame of reader.take(bytes)) {
          const message = 'text' in frame ? readMessage(frame.text) : undefined
          if (!message) continue
          heard.push(Number(/w01018-Rtd=([\d.]+)/.exec(message.CP)?.[1]))
          socket.write(answerTo(message))
        }
      })
    }).listen(authorityPort, '127.0.0.1')
    await once(authority, 'listening')
    await soon()
    await until('all of it', async () => (await row()).Sent === first + 1)
    expect(heard).toEqual([...heard].sort((a, b) => a - b))
    expect([heard.length, heard.at(-1)]).toEqual([first + 1, 99])
    await pane(page).getByText('Delivered').first().waitFor()
    authority.close()
    await client.endAsync()
  })

  it('all of it fits a phone', async () => {
    const { page } = at
    await page.setViewportSize({ width: 390, height: 844 })
    for (const address of [`/protocolManagement/networkPlugin?Id=${node.Id}`, '/projectManagement/thirdPartyAccess']) {
      await visit(page, address)
      await settled(page)
      await expectFits(page)
    }
    expect(at.browser.problems).toEqual([])
  })
})
