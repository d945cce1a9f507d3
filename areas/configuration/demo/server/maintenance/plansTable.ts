// The demo company's upkeep plans and patrol route.
import { say, type Words } from './words.ts'

type Check = { name: Words; min?: number; max?: number; unit?: string; point?: string /** What people find. */; usual?: number }
export type UpkeepPlan = {
  no: string
  name: Words
  devices: readonly string[]
  /** Months. */
  every: number
  /** Hour counter that the plan follows instead, and its step. */
  hours?: readonly [point: string, step: number]
  time: string
  checks: readonly Check[]
  done: Words
}
const look = (name: Words): Check => ({ name })
const clean = look(say('Clean and dry', '清洁干燥', 'Limpio y seco', '清掃・乾燥状態'))
const noise = look(say('No unusual noise', '无异响', 'Sin ruidos extraños', '異音なし'))
const tight = look(say('Terminals tight', '端子紧固', 'Bornes apretados', '端子の締付'))

export const upkeepPlans: readonly UpkeepPlan[] = [
  {
    ...{ no: 'UP-01', devices: ['High service pumps'], every: 1, hours: ['Pump 1 hours', 500], time: '07:30' },
    name: say(
      'Delivery pumps: grease and align',
      '送水泵：润滑与找正',
      'Bombas de impulsión: engrase y alineación',
      '送水ポンプ：給脂と芯出し',
    ),
    checks: [
      look(say('Bearings greased', '轴承已润滑', 'Rodamientos engrasados', '軸受給脂')),
      noise,
      {
        name: say('Vibration, drive end', '驱动端振动', 'Vibración, lado acople', '負荷側振動'),
        min: 0,
        max: 4.5,
        unit: 'mm/s',
        usual: 2.1,
      },
      {
        name: say('Bearing temperature', '轴承温度', 'Temperatura del rodamiento', '軸受温度'),
        min: 0,
        max: 75,
        unit: '°C',
        point: 'Pump 1 bearing temperature',
        usual: 52,
      },
    ],
    done: say(
      'Greased, 20 g each bearing. Runs quietly.',
      '已润滑，每轴承 20 g，运行平稳。',
      'Engrasadas, 20 g por rodamiento. Marcha suave.',
      '各軸受 20 g 給脂。運転は静か。',
    ),
  },
  {
    ...{ no: 'UP-02', devices: ['Raw water intake'], every: 1, hours: ['Pump 1 hours', 750], time: '08:00' },
    name: say(
      'Intake pumps: seals and screens',
      '取水泵：密封与格栅',
      'Bombas de captación: cierres y rejas',
      '取水ポンプ：シールとスクリーン',
    ),
    checks: [
      look(say('Seals tight', '密封无渗漏', 'Cierres sin fugas', 'シール漏れなし')),
      look(say('Screens clean', '格栅清洁', 'Rejas limpias', 'スクリーン清掃')),
      { name: say('Motor current', '电机电流', 'Corriente del motor', 'モータ電流'), min: 20, max: 72, unit: 'A', usual: 58 },
    ],
    done: say('Branches cleared from the screens.', '清除格栅树枝。', 'Ramas retiradas de las rejas.', 'スクリーンの枝を除去。'),
  },
  {
    ...{ no: 'UP-03', devices: ['Filters'], every: 3, time: '08:00' },
    name: say('Filters: valves and nozzles', '滤池：阀门与滤头', 'Filtros: válvulas y boquillas', 'ろ過池：弁とノズル'),
    checks: [
      look(say('Valves open and close fully', '阀门全开全闭', 'Válvulas abren y cierran del todo', '弁の全開・全閉')),
      {
        name: say('Sand level below the edge', '砂面距边缘', 'Nivel de arena bajo el borde', '砂面高さ（縁から）'),
        min: 20,
        max: 45,
        unit: 'cm',
        usual: 33,
      },
      look(say('Even air pattern in backwash', '反冲洗布气均匀', 'Aire uniforme en el lavado', '逆洗時の空気分布')),
    ],
    done: say(
      'All three filters backwashed and inspected.',
      '三格滤池均已反冲洗并检查。',
      'Los tres filtros lavados e inspeccionados.',
      '3 池とも逆洗・点検済み。',
    ),
  },
  {
    ...{ no: 'UP-04', devices: ['Chlorine dosing'], every: 1, time: '09:00' },
    name: say('Chlorine dosing: pump and analyser', '加氯：计量泵与分析仪', 'Cloración: bomba y analizador', '塩素注入：ポンプと分析計'),
    checks: [
      look(say('Valves free of crystals', '阀内无结晶', 'Válvulas sin cristales', '弁に結晶なし')),
      { name: say('Residual by hand', '手测余氯', 'Residual a mano', '手分析の残塩'), min: 0.3, max: 0.9, unit: 'mg/L', usual: 0.52 },
      look(say('Eye wash runs', '洗眼器正常', 'Lavaojos funciona', '洗眼器の作動')),
    ],
    done: say(
      'Analyser agrees with the hand test within 0.03 mg/L.',
      '分析仪与手测相差 0.03 mg/L 以内。',
      'El analizador coincide con la prueba manual (0,03 mg/L).',
      '分析計と手分析の差 0.03 mg/L 以内。',
    ),
  },
  {
    ...{ no: 'UP-05', devices: ['UV reactor'], every: 2, time: '10:00' },
    name: say(
      'UV reactor: sleeves and wipers',
      '紫外反应器：套管与刮环',
      'Reactor UV: fundas y rascadores',
      '紫外線装置：スリーブとワイパー',
    ),
    checks: [
      clean,
      {
        name: say('Intensity after cleaning', '清洗后强度', 'Intensidad tras limpiar', '清掃後の強度'),
        min: 140,
        max: 300,
        unit: 'W/m²',
        point: 'UV intensity',
        usual: 205,
      },
      look(say('Wipers whole', '刮环完好', 'Rascadores enteros', 'ワイパーの損傷なし')),
    ],
    done: say(
      'Sleeves cleaned with citric acid.',
      '用柠檬酸清洗套管。',
      'Fundas limpiadas con ácido cítrico.',
      'クエン酸でスリーブを洗浄。',
    ),
  },
  {
    ...{ no: 'UP-06', devices: ['Cold room'], every: 1, time: '11:00' },
    name: say('Cold room: condenser and door', '冷库：冷凝器与库门', 'Cámara frigorífica: condensador y puerta', '冷蔵室：凝縮器と扉'),
    checks: [
      clean,
      look(say('Door closes by itself', '门可自闭', 'La puerta cierra sola', '扉が自然に閉まる')),
      {
        name: say('Air temperature', '库温', 'Temperatura del aire', '庫内温度'),
        min: -26,
        max: -15,
        unit: '°C',
        point: 'Air temperature',
        usual: -20,
      },
    ],
    done: say('Fins brushed, drain free.', '翅片已刷，排水通畅。', 'Aletas cepilladas, desagüe libre.', 'フィン清掃、排水良好。'),
  },
  {
    ...{ no: 'UP-07', devices: ['Intake power meter', 'Delivery power meter'], every: 6, time: '06:30' },
    name: say('Switchgear: thermography', '配电柜：红外测温', 'Cuadros: termografía', '配電盤：サーモグラフィ'),
    checks: [
      tight,
      { name: say('Hottest terminal', '最热端子', 'Borne más caliente', '最高端子温度'), min: 0, max: 60, unit: '°C', usual: 41 },
    ],
    done: say('No hot spot above 45 °C.', '无高于 45 °C 的热点。', 'Ningún punto por encima de 45 °C.', '45 °C を超える箇所なし。'),
  },
  {
    ...{ no: 'UP-08', devices: ['Weather station', 'Outlet and tower'], every: 3, time: '09:30' },
    name: say('Gauges: zero and span', '仪表：零点与量程', 'Instrumentos: cero y rango', '計器：ゼロとスパン'),
    checks: [
      look(say('Reads zero when relieved', '卸压后示值为零', 'Marca cero sin presión', '無加圧でゼロ指示')),
      {
        name: say('Deviation at full scale', '满量程偏差', 'Desviación a fondo de escala', 'フルスケール偏差'),
        min: 0,
        max: 1,
        unit: '%',
        usual: 0.3,
      },
    ],
    done: say(
      'Within tolerance, labels renewed.',
      '在允差内，已更换标签。',
      'Dentro de tolerancia, etiquetas renovadas.',
      '許容差内、ラベル更新。',
    ),
  },
]

/** Patrol points with their locations, in route order. */
export const patrolPoints: readonly { name: Words; place: Words; east: number; north: number }[] = [
  {
    name: say('Gate', '大门', 'Portón', '正門'),
    place: say('Lock and fence', '门锁与围栏', 'Cerradura y valla', '施錠とフェンス'),
    east: 0,
    north: 0,
  },
  {
    name: say('Intake screens', '取水格栅', 'Rejas de captación', '取水スクリーン'),
    place: say('River bank', '河岸', 'Orilla del río', '河岸'),
    east: -60,
    north: 40,
  },
  {
    name: say('Intake pumps', '取水泵', 'Bombas de captación', '取水ポンプ'),
    place: say('Lower floor', '下层', 'Planta baja', '下階'),
    east: -45,
    north: 65,
  },
  {
    name: say('Coagulant store', '混凝剂库', 'Almacén de coagulante', '凝集剤庫'),
    place: say('Bund and pump', '围堰与泵', 'Cubeto y bomba', '防液堤とポンプ'),
    east: -10,
    north: 90,
  },
  {
    name: say('Settling basin', '沉淀池', 'Decantador', '沈殿池'),
    place: say('Walkway', '走道', 'Pasarela', '歩廊'),
    east: 25,
    north: 110,
  },
  { name: say('Filters', '滤池', 'Filtros', 'ろ過池'), place: say('Gallery', '管廊', 'Galería', '管廊'), east: 60, north: 115 },
  {
    name: say('UV reactor', '紫外反应器', 'Reactor UV', '紫外線装置'),
    place: say('Treatment hall', '处理间', 'Sala de tratamiento', '処理室'),
    east: 85,
    north: 100,
  },
  {
    name: say('Chlorine room', '加氯间', 'Sala de cloro', '塩素室'),
    place: say('Outside the door', '门外', 'Fuera de la puerta', '扉の外'),
    east: 100,
    north: 80,
  },
  {
    name: say('Clear water tank', '清水池', 'Depósito de agua tratada', '浄水池'),
    place: say('Manhole A', '人孔 A', 'Boca A', 'マンホール A'),
    east: 120,
    north: 60,
  },
  {
    name: say('Delivery pumps', '送水泵房', 'Bombas de impulsión', '送水ポンプ'),
    place: say('Pump hall', '泵房', 'Sala de bombas', 'ポンプ室'),
    east: 140,
    north: 35,
  },
  {
    name: say('Switch room', '配电室', 'Sala de cuadros', '電気室'),
    place: say('Main board', '主配电柜', 'Cuadro general', '主配電盤'),
    east: 125,
    north: 10,
  },
  {
    name: say('Water tower', '水塔', 'Torre de agua', '給水塔'),
    place: say('Foot of the stairs', '楼梯底', 'Pie de la escalera', '階段下'),
    east: 170,
    north: -25,
  },
]

export const patrolPlan = {
  name: say('Morning round', '早班巡检', 'Ronda de la mañana', '朝の巡回'),
  no: 'PT-01',
  time: '06:00',
  checks: [
    {
      name: say('Residual chlorine by hand', '手测余氯', 'Cloro residual a mano', '手分析の残留塩素'),
      min: 0.3,
      max: 0.9,
      unit: 'mg/L',
      usual: 0.54,
    },
    { name: say('Pressure at the header', '母管压力', 'Presión en el colector', 'ヘッダー圧力'), min: 3, max: 6, unit: 'bar', usual: 4.6 },
    {
      name: say('Noise in the pump hall', '泵房噪声', 'Ruido en la sala de bombas', 'ポンプ室の騒音'),
      min: 0,
      max: 85,
      unit: 'dB',
      usual: 78,
    },
    { name: say('Doors locked', '门已上锁', 'Puertas cerradas', '施錠確認') },
  ] satisfies Check[],
  done: say('Nothing unusual.', '无异常。', 'Sin novedad.', '異常なし。'),
}
