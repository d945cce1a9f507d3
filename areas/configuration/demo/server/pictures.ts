// Process pictures of the demo plant, as examples for a first start.
import { sql } from 'kysely'
import { type Binding, emptyScene, type Item, type Parameter, type Scene } from '../../../../contract/picture/scene.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { createPicture, publishPicture } from '../../../pictures/flowcharts/server/service.ts'

type Words = { en: string; zh: string; es: string; ja: string }
const say = (en: string, zh: string, es: string, ja: string): Words => ({ en, zh, es, ja })
/** The reference of a point, by device and name. */
type At = (device: string, point: string) => string

const labels = {
  flow: say('Flow', '流量', 'Caudal', '流量'),
  level: say('Level', '液位', 'Nivel', '水位'),
  pressure: say('Pressure', '压力', 'Presión', '圧力'),
  turbidity: say('Turbidity', '浊度', 'Turbidez', '濁度'),
  chlorine: say('Free chlorine', '余氯', 'Cloro libre', '遊離塩素'),
  power: say('Power', '功率', 'Potencia', '電力'),
  speed: say('Speed', '转速', 'Velocidad', '回転速度'),
  bearing: say('Bearing', '轴承温度', 'Cojinete', '軸受温度'),
  vibration: say('Vibration', '振动', 'Vibración', '振動'),
  temperature: say('Temperature', '温度', 'Temperatura', '温度'),
  current: say('Current', '电流', 'Corriente', '電流'),
  run: say('Run', '运行', 'Marcha', '運転'),
  demand: say('Town demand', '用水量', 'Demanda', '需要量'),
}

/** Builds a scene: each call adds an item under the next Id. */
const draw = (at: At, width = 1280, height = 560) => {
  const items: Item[] = []
  const add = <I extends Item>(item: Omit<I, 'id'>) => {
    const id = `i${items.length + 1}`
    items.push({ ...item, id } as I)
    return id
  }
  return {
    add,
    scene: (): Scene => ({ ...emptyScene(width, height), items }),
    symbol: (symbol: string, [x, y, w, h]: readonly number[], bind: Binding[] = [], more: object = {}) =>
      add({ kind: 'symbol', symbol, x: x!, y: y!, w: w!, h: h!, ...(bind.length ? { bind } : {}), ...more } as never),
    text: (text: Words, x: number, y: number, size = 16) =>
      add({ kind: 'text', text, x, y, w: 300, h: size * 1.5, size, weight: 600 } as never),
    value: (label: Words, device: string, point: string, x: number, y: number) =>
      add({ kind: 'value', of: at(device, point), label, x, y, w: 120, h: 44, size: 18 } as never),
    indicator: (look: string, device: string, point: string, [x, y, w, h]: readonly number[]) =>
      add({ kind: 'indicator', look, of: at(device, point), x: x!, y: y!, w: w!, h: h! } as never),
    pipe: (from: string, to: string, flow?: string) => {
      const end = (text: string) => ({ item: text.split(':')[0]!, port: text.split(':')[1]! })
      return add({
        kind: 'pipe',
        from: end(from),
        to: end(to),
        x: 0,
        y: 0,
        w: 0,
        h: 0,
        ...(flow ? { bind: [{ to: 'flow', of: flow }] } : {}),
      } as never)
    },
  }
}
const running = (of: string): Binding => ({ to: 'running', of })
const level = (of: string, most: number): Binding => ({ to: 'level', of: `${of} / ${most}` })

const overview = (at: At): Scene => {
  const d = draw(at, 1280, 650)
  d.text(say('From the river to the town', '从河流到城市', 'Del río a la ciudad', '川から町まで'), 24, 16, 20)
  d.add({ kind: 'clock', show: 'both', size: 14, align: 'end', x: 1056, y: 16, w: 200, h: 24 } as never)
  const intake = d.symbol('water.intake', [40, 240, 80, 60])
  const first = d.symbol('pump.centrifugal', [160, 252, 48, 48], [running(at('Raw water intake', 'Pump 1 running'))])
  const basin = d.symbol('vessel.basin', [270, 240, 200, 80], [level(at('Settling basin', 'Basin level'), 3.2)])
  const filter = d.symbol('filter.sand', [530, 212, 72, 108], [level(at('Filters', 'Filter 1 level'), 3)])
  const uv = d.symbol('filter.uv', [660, 246, 96, 40], [running(at('UV reactor', 'Reactor on'))])
  const tank = d.symbol('vessel.flat', [820, 200, 110, 130], [level(at('Clear water tank', 'Chamber A level'), 3.2)])
  const last = d.symbol('pump.centrifugal', [980, 290, 48, 48], [running(at('High service pumps', 'Pump 1 running'))])
  const tower = d.symbol('water.tower', [1110, 120, 110, 165], [level(at('Outlet and tower', 'Tower level'), 5)])
  d.pipe(`${intake}:right`, `${first}:in`, at('Raw water intake', 'Raw water flow'))
  d.pipe(`${first}:out`, `${basin}:left`, at('Raw water intake', 'Raw water flow'))
  d.pipe(`${basin}:right`, `${filter}:left`, at('Settling basin', 'Basin outflow'))
  d.pipe(`${filter}:right`, `${uv}:left`, at('UV reactor', 'Reactor flow'))
  d.pipe(`${uv}:right`, `${tank}:left`, at('Clear water tank', 'Clear water inflow'))
  d.pipe(`${tank}:right`, `${last}:in`, at('Clear water tank', 'Clear water outflow'))
  d.pipe(`${last}:out`, `${tower}:bottom`, at('High service pumps', 'Delivery flow'))
  d.value(labels.flow, 'Raw water intake', 'Raw water flow', 130, 340)
  d.value(labels.turbidity, 'Raw water intake', 'Raw water turbidity', 130, 400)
  d.value(labels.level, 'Settling basin', 'Basin level', 300, 340)
  d.value(labels.turbidity, 'Settling basin', 'Settled turbidity', 300, 400)
  d.value(labels.turbidity, 'Filters', 'Filter 1 turbidity', 520, 340)
  d.value(labels.power, 'UV reactor', 'Reactor power', 660, 340)
  d.value(labels.level, 'Clear water tank', 'Chamber A level', 820, 360)
  d.value(labels.chlorine, 'Chlorine dosing', 'Free chlorine', 820, 420)
  d.value(labels.pressure, 'High service pumps', 'Header pressure', 980, 360)
  d.value(labels.level, 'Outlet and tower', 'Tower level', 1110, 320)
  d.value(labels.demand, 'Outlet and tower', 'Town demand', 1110, 380)
  const [flow, demand] = [at('High service pumps', 'Delivery flow'), at('Outlet and tower', 'Town demand')]
  d.add({ kind: 'trend', reads: [flow, demand], span: '24h', size: 12, x: 24, y: 480, w: 600, h: 150 } as never)
  d.add({ kind: 'alarms', size: 12, x: 656, y: 480, w: 600, h: 150 } as never)
  return d.scene()
}

/** Parameters of a pump's faceplate: the points of the pump. */
const faceParameters = (at: At, device: string, n: number) =>
  Object.fromEntries(Object.entries(facePoints).map(([name, point]) => [name, Number(at(device, `Pump ${n} ${point}`).slice(1))]))
const facePoints = {
  Command: 'command',
  Tripped: 'tripped',
  Running: 'running',
  Flow: 'flow',
  Current: 'current',
  Bearing: 'bearing temperature',
  Vibration: 'vibration',
}

/** One faceplate for all pumps. */
const pumpFace = (at: At): Scene => {
  const parameters: Parameter[] = Object.entries(faceParameters(at, 'High service pumps', 1)).map(([name, value]) => ({
    name,
    type: 'point',
    value,
  }))
  const d = draw((_, name) => `{${name}}`, 360, 400)
  d.symbol('pump.centrifugal', [20, 20, 72, 72], [running('{Running}')], { alarms: ['{Bearing}', '{Vibration}'] })
  d.value(labels.flow, '', 'Flow', 116, 16)
  d.value(labels.current, '', 'Current', 236, 16)
  d.value(labels.bearing, '', 'Bearing', 116, 64)
  d.value(labels.vibration, '', 'Vibration', 236, 64)
  const start = { do: 'toggle', of: '{Command}', when: '{Tripped} = 0', reason: true }
  d.add({
    kind: 'input',
    look: 'switch',
    of: '{Command}',
    title: labels.run,
    acts: [start],
    size: 12,
    x: 12,
    y: 104,
    w: 96,
    h: 24,
  } as never)
  d.text(labels.bearing, 12, 136, 13)
  d.add({ kind: 'trend', reads: ['{Bearing}'], span: '6h', size: 11, x: 12, y: 158, w: 336, h: 110 } as never)
  d.text(labels.vibration, 12, 276, 13)
  d.add({ kind: 'trend', reads: ['{Vibration}'], span: '6h', size: 11, x: 12, y: 298, w: 336, h: 96 } as never)
  return { ...d.scene(), parameters }
}

const station = (at: At, face: number): Scene => {
  const d = draw(at)
  const device = 'High service pumps'
  d.text(say('High service pumps', '送水泵站', 'Bombas de impulsión', '送水ポンプ'), 24, 16, 20)
  const suction = d.symbol('vessel.flat', [40, 200, 110, 180], [level(at('Clear water tank', 'Chamber B level'), 3.2)])
  const header = d.symbol('meter.magnetic', [1040, 250, 48, 48])
  for (const [i, y] of [90, 250, 410].entries()) {
    const n = i + 1
    const name = say(`Pump ${n}`, `${n} 号泵`, `Bomba ${n}`, `ポンプ ${n}`)
    const pump = d.symbol('pump.pump', [420, y, 64, 64], [running(at(device, `Pump ${n} running`))], {
      acts: [{ do: 'faceplate', picture: face, title: name, parameters: faceParameters(at, device, n) }],
      alarms: [at(device, `Pump ${n} tripped`), at(device, `Pump ${n} bearing temperature`), at(device, `Pump ${n} vibration`)],
    })
    const check = d.symbol('valve.check', [580, y + 20, 40, 24])
    d.pipe(`${suction}:right`, `${pump}:left`, at(device, `Pump ${n} flow`))
    d.pipe(`${pump}:right`, `${check}:left`, at(device, `Pump ${n} flow`))
    d.pipe(`${check}:right`, `${header}:left`, at(device, `Pump ${n} flow`))
    d.value(labels.flow, device, `Pump ${n} flow`, 640, y + 40)
    d.value(labels.bearing, device, `Pump ${n} bearing temperature`, 735, y + 40)
    d.value(labels.vibration, device, `Pump ${n} vibration`, 850, y + 40)
    d.indicator('bar', device, `Pump ${n} current`, [400, y + 80, 110, 12])
    d.text(name, 424, y - 26, 13)
  }
  d.indicator('dial', device, 'Header pressure', [1110, 200, 140, 140])
  d.value(labels.flow, device, 'Delivery flow', 1120, 360)
  d.value(labels.power, 'Delivery power meter', 'Active power', 1120, 420)
  return d.scene()
}

const tanks = (at: At): Scene => {
  const d = draw(at)
  d.text(say('Tanks and dosing', '水池与加药', 'Depósitos y dosificación', '水槽と薬注'), 24, 16, 20)
  const rows: [Words, string, string, number][] = [
    [say('Settling basin', '沉淀池', 'Decantador', '沈殿池'), 'Settling basin', 'Basin level', 3.2],
    [say('Coagulant', '混凝剂', 'Coagulante', '凝集剤'), 'Settling basin', 'Coagulant tank level', 100],
    [say('Chamber A', 'A 池', 'Cámara A', 'A 槽'), 'Clear water tank', 'Chamber A level', 3.2],
    [say('Chamber B', 'B 池', 'Cámara B', 'B 槽'), 'Clear water tank', 'Chamber B level', 3.2],
    [say('Hypochlorite', '次氯酸钠', 'Hipoclorito', '次亜塩素酸'), 'Chlorine dosing', 'Hypochlorite level', 100],
    [say('Water tower', '水塔', 'Torre de agua', '給水塔'), 'Outlet and tower', 'Tower level', 5],
  ]
  const drawn = rows.map(([name, device, point, most], i) => {
    const x = 50 + i * 200
    d.text(name, x, 90, 14)
    const id = d.symbol('vessel.tank', [x, 130, 120, 200], [level(at(device, point), most)])
    d.indicator('column', device, point, [x + 130, 150, 14, 170])
    d.value(labels.level, device, point, x, 350)
    return id
  })
  const dosing = d.symbol('pump.dosing', [1000, 430, 48, 48], [running(at('Chlorine dosing', 'Dosing pump running'))])
  d.value(labels.flow, 'Chlorine dosing', 'Dosing flow', 1060, 434)
  d.pipe(`${drawn[4]}:right`, `${dosing}:top`, at('Chlorine dosing', 'Dosing flow'))
  return d.scene()
}

const coldRoom = (at: At): Scene => {
  const d = draw(at)
  const device = 'Cold room'
  d.text(say('Cold room', '冷库', 'Cámara frigorífica', '冷蔵室'), 24, 16, 20)
  d.symbol('cold.room', [60, 120, 480, 300])
  const evaporator = d.symbol('cold.evaporator', [400, 150, 112, 70], [running(at(device, 'Fan running'))])
  d.symbol('cold.door', [80, 280, 80, 132], [{ to: 'open', of: at(device, 'Door open') }], { alarms: [at(device, 'Door open time')] })
  const compressor = d.symbol('cold.compressor', [720, 300, 72, 72], [running(at(device, 'Compressor running'))], {
    alarms: [at(device, 'Discharge pressure')],
  })
  const condenser = d.symbol('cold.condenser', [940, 150, 160, 80])
  const expansion = d.symbol('cold.expansion', [660, 150, 40, 40])
  const runs = at(device, 'Compressor running')
  d.pipe(`${evaporator}:right`, `${compressor}:left`, runs)
  d.pipe(`${compressor}:right`, `${condenser}:out`, runs)
  d.pipe(`${condenser}:in`, `${expansion}:right`, runs)
  d.value(labels.temperature, device, 'Air temperature', 200, 200)
  d.value(say('Product', '货物温度', 'Producto', '品温'), device, 'Product temperature', 200, 260)
  d.value(labels.pressure, device, 'Suction pressure', 600, 390)
  d.value(labels.pressure, device, 'Discharge pressure', 820, 390)
  d.value(labels.current, device, 'Compressor current', 720, 450)
  d.indicator('dial', device, 'Air temperature', [1000, 280, 160, 160])
  return d.scene()
}

const pictures: readonly [name: Words, scene: (at: At, face: number) => Scene][] = [
  [say('Overview', '总览', 'Vista general', '全体図'), overview],
  [say('Pump station', '泵站', 'Estación de bombeo', 'ポンプ場'), station],
  [say('Tanks', '水池', 'Depósitos', '水槽'), tanks],
  [say('Cold room', '冷库', 'Cámara frigorífica', '冷蔵室'), coldRoom],
]

/** Draws and publishes the pictures of the demo project, named in the company's language. */
export const addPictures = async (db: Db, actor: Actor, ProjectId: number, language: keyof Words) => {
  const rows = await db.rows<{ Id: number; ParaName: string; DeviceName: string }>(sql`
    select p."Id", p."ParaName", d."DeviceName" from point p join device d on d."Id" = p."DeviceId"
    join gateway g on g."Id" = d."GatewayId" where g."ProjectId" = ${ProjectId}`)
  const ids = new Map(rows.map(({ Id, ParaName, DeviceName }) => [`${DeviceName}/${ParaName}`, Id]))
  const at: At = (device, point) => {
    const id = ids.get(`${device}/${point}`)
    if (!id) throw new Error(`no point ${point} of ${device}`)
    return `#${id}`
  }
  const add = async (name: Words, scene: Scene, more: { Sort: number; Purpose?: 1 }) => {
    const { Id } = await createPicture(db, actor, { FlowchartName: name[language], ProjectId, ...more }, scene)
    await publishPicture(db, actor, { Id })
    return Id
  }
  const faceName = say('Faceplate of a pump', '水泵操作面板', 'Ficha de una bomba', 'ポンプのフェースプレート')
  const face = await add(faceName, pumpFace(at), { Sort: pictures.length, Purpose: 1 })
  const made: number[] = []
  for (const [Sort, [name, scene]] of pictures.entries()) made.push(await add(name, scene(at, face), { Sort }))
  return made
}
