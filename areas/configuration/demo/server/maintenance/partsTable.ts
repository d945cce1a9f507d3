// The demo company's spare parts.
import { say, type Words } from './words.ts'

const categories: Readonly<Record<string, Words>> = {
  bearings: say('Bearings', '轴承', 'Rodamientos', '軸受'),
  supplies: say('Consumables', '耗材', 'Consumibles', '消耗品'),
  seals: say('Seals', '密封件', 'Juntas', 'シール'),
  drives: say('Drives', '传动', 'Transmisión', '駆動部品'),
  electrics: say('Electrical', '电气', 'Eléctrico', '電気部品'),
  dosing: say('Dosing', '加药', 'Dosificación', '薬注'),
  optics: say('UV', '紫外', 'UV', '紫外線'),
  sensors: say('Sensors', '传感器', 'Sensores', 'センサー'),
  cooling: say('Refrigeration', '制冷', 'Refrigeración', '冷凍'),
  fittings: say('Fittings', '管件', 'Accesorios', '配管部品'),
}
const units: Readonly<Record<string, Words>> = {
  piece: say('pcs', '个', 'ud', '個'),
  kg: say('kg', 'kg', 'kg', 'kg'),
  L: say('L', 'L', 'L', 'L'),
  set: say('set', '套', 'juego', '組'),
  m: say('m', 'm', 'm', 'm'),
}
/** number | category | unit | specification | supplier | days until it comes | minimum | maximum | price | name in en, zh, es, ja */
const table = `
BRG-6309 | bearings | piece | 6309-2Z/C3 | Rodamar | 7 | 4 | 12 | 48 | Ball bearing, drive end | 驱动端球轴承 | Rodamiento lado acople | 負荷側玉軸受
BRG-6307 | bearings | piece | 6307-2Z/C3 | Rodamar | 7 | 4 | 12 | 36 | Ball bearing, far end | 非驱动端球轴承 | Rodamiento lado libre | 反負荷側玉軸受
BRG-6205 | bearings | piece | 6205-2RS | Rodamar | 5 | 4 | 10 | 9.5 | Ball bearing, fan | 风机球轴承 | Rodamiento de ventilador | ファン用玉軸受
BRG-NU310 | bearings | piece | NU 310 ECP | Rodamar | 14 | 2 | 4 | 118 | Roller bearing, intake pump | 取水泵滚子轴承 | Rodamiento de rodillos, captación | 取水ポンプころ軸受
SEA-45 | seals | piece | 45 mm, SiC/SiC | Sellados Ebro | 21 | 2 | 6 | 212 | Mechanical seal, delivery pump | 送水泵机械密封 | Cierre mecánico, impulsión | 送水ポンプメカニカルシール
SEA-38 | seals | piece | 38 mm, SiC/C | Sellados Ebro | 21 | 2 | 4 | 164 | Mechanical seal, intake pump | 取水泵机械密封 | Cierre mecánico, captación | 取水ポンプメカニカルシール
GSK-DN150 | seals | piece | DN 150, EPDM | Sellados Ebro | 3 | 6 | 20 | 4.2 | Flange gasket DN 150 | 法兰垫片 DN 150 | Junta de brida DN 150 | フランジガスケット DN 150
GSK-DN200 | seals | piece | DN 200, EPDM | Sellados Ebro | 3 | 6 | 20 | 5.8 | Flange gasket DN 200 | 法兰垫片 DN 200 | Junta de brida DN 200 | フランジガスケット DN 200
ORI-SET | seals | set | EPDM, 32 sizes | Sellados Ebro | 3 | 1 | 3 | 27 | O-ring assortment | O 形圈套装 | Surtido de juntas tóricas | O リングセット
PAC-10 | seals | m | 10 mm, PTFE | Sellados Ebro | 5 | 5 | 15 | 14 | Gland packing | 盘根 | Empaquetadura | グランドパッキン
CPL-42 | drives | piece | GR 42, 98 Sh-A | Transmol | 10 | 2 | 6 | 31 | Coupling spider | 联轴器弹性体 | Estrella de acoplamiento | カップリングスパイダ
CPL-55 | drives | piece | GR 55 | Transmol | 14 | 1 | 2 | 186 | Coupling, delivery pump | 送水泵联轴器 | Acoplamiento, impulsión | 送水ポンプカップリング
BLT-SPA | drives | piece | SPA 1600 | Transmol | 4 | 3 | 9 | 12.5 | V-belt, mixer | 搅拌机三角带 | Correa trapecial, mezclador | ミキサー V ベルト
IMP-200 | drives | piece | ⌀ 200 mm, bronze | Hidrobombas | 45 | 1 | 2 | 640 | Impeller, delivery pump | 送水泵叶轮 | Impulsor, bomba de impulsión | 送水ポンプ羽根車
IMP-250 | drives | piece | ⌀ 250 mm, bronze | Hidrobombas | 45 | 1 | 2 | 720 | Impeller, intake pump | 取水泵叶轮 | Impulsor, bomba de captación | 取水ポンプ羽根車
WRG-200 | drives | piece | ⌀ 200 mm | Hidrobombas | 30 | 2 | 4 | 88 | Wear ring | 口环 | Aro de desgaste | ウェアリング
CNT-D40 | electrics | piece | 40 A, 230 V coil | Electroval | 4 | 2 | 6 | 74 | Contactor 40 A | 接触器 40 A | Contactor 40 A | 電磁接触器 40 A
OLR-65 | electrics | piece | 48–65 A | Electroval | 5 | 2 | 4 | 69 | Motor protection relay | 电机保护继电器 | Relé térmico | モータ保護リレー
FUS-100 | electrics | piece | NH00, 100 A | Electroval | 2 | 9 | 30 | 5.1 | Fuse 100 A | 熔断器 100 A | Fusible 100 A | ヒューズ 100 A
FUS-2 | electrics | piece | 5×20, 2 A | Electroval | 2 | 20 | 100 | 0.35 | Glass fuse 2 A | 玻璃保险丝 2 A | Fusible de vidrio 2 A | ガラス管ヒューズ 2 A
RLY-24 | electrics | piece | 24 V DC, 2 CO | Electroval | 2 | 5 | 20 | 7.9 | Relay 24 V | 继电器 24 V | Relé 24 V | リレー 24 V
PSU-24 | electrics | piece | 24 V DC, 5 A | Electroval | 6 | 1 | 3 | 96 | Power supply 24 V | 24 V 电源 | Fuente de 24 V | 24 V 電源
VFD-FAN | electrics | piece | 120 mm, 24 V | Electroval | 8 | 2 | 6 | 22 | Drive cooling fan | 变频器风扇 | Ventilador de variador | インバータ冷却ファン
VFD-45 | electrics | piece | 45 kW | Electroval | 40 | 0 | 1 | 2890 | Frequency converter 45 kW | 变频器 45 kW | Variador 45 kW | インバータ 45 kW
SPD-2 | electrics | piece | Type 2, 40 kA | Electroval | 6 | 2 | 4 | 58 | Surge arrester | 浪涌保护器 | Protector de sobretensión | サージ保護器
CBL-4G10 | electrics | m | 4G10 | Electroval | 3 | 25 | 100 | 6.9 | Motor cable | 电机电缆 | Cable de motor | モータケーブル
DIA-LD | dosing | piece | PTFE, ⌀ 64 mm | Dosaqua | 10 | 2 | 6 | 41 | Dosing pump diaphragm | 计量泵隔膜 | Membrana de bomba dosificadora | 薬注ポンプダイヤフラム
VLV-LD | dosing | set | PVC/FKM | Dosaqua | 10 | 2 | 6 | 33 | Suction and discharge valves | 吸排阀组 | Válvulas de aspiración e impulsión | 吸込・吐出弁セット
INJ-LD | dosing | piece | PVDF, G 1/2 | Dosaqua | 12 | 1 | 3 | 52 | Injection nozzle | 注入阀 | Lanza de inyección | 注入ノズル
TUB-PE8 | dosing | m | PE 8×5 | Dosaqua | 4 | 10 | 50 | 1.6 | Dosing hose | 加药软管 | Tubo de dosificación | 薬注チューブ
HYP-LD | dosing | kg | 14 % | Química Norte | 2 | 100 | 600 | 0.62 | Sodium hypochlorite | 次氯酸钠 | Hipoclorito sódico | 次亜塩素酸ナトリウム
PAC-LD | dosing | kg | 18 % | Química Norte | 2 | 200 | 1200 | 0.41 | Polyaluminium chloride | 聚合氯化铝 | Policloruro de aluminio | ポリ塩化アルミニウム
LMP-UV | optics | piece | Amalgam, 320 W | Luzpura | 15 | 4 | 12 | 189 | UV lamp | 紫外灯管 | Lámpara UV | 紫外線ランプ
SLV-UV | optics | piece | Quartz, ⌀ 32 mm | Luzpura | 15 | 2 | 6 | 76 | Quartz sleeve | 石英套管 | Funda de cuarzo | 石英スリーブ
BAL-UV | optics | piece | 2×320 W | Luzpura | 20 | 1 | 3 | 248 | Lamp ballast | 镇流器 | Balasto | 安定器
WIP-UV | optics | piece | FKM | Luzpura | 12 | 4 | 12 | 14 | Sleeve wiper | 套管刮环 | Rascador de funda | スリーブワイパー
SEN-UV | optics | piece | 254 nm | Luzpura | 25 | 1 | 2 | 330 | UV intensity sensor | 紫外强度传感器 | Sensor de intensidad UV | 紫外線強度センサー
SEN-CL | sensors | piece | 0–2 mg/L | Analítica Sur | 18 | 1 | 2 | 410 | Free chlorine electrode | 余氯电极 | Electrodo de cloro libre | 遊離塩素電極
SEN-PH | sensors | piece | pH 0–14 | Analítica Sur | 10 | 1 | 3 | 128 | pH electrode | pH 电极 | Electrodo de pH | pH 電極
SEN-TU | sensors | piece | 0–100 NTU | Analítica Sur | 25 | 1 | 1 | 690 | Turbidity sensor | 浊度传感器 | Sensor de turbidez | 濁度センサー
BUF-PH | sensors | set | pH 4, 7, 10 | Analítica Sur | 4 | 2 | 6 | 19 | pH buffer solutions | pH 缓冲液 | Soluciones tampón de pH | pH 標準液
RGT-DPD | sensors | set | 100 tests | Analítica Sur | 4 | 3 | 10 | 24 | DPD chlorine reagent | DPD 余氯试剂 | Reactivo DPD de cloro | DPD 塩素試薬
SEN-P10 | sensors | piece | 0–10 bar, 4–20 mA | Analítica Sur | 8 | 2 | 4 | 142 | Pressure transmitter | 压力变送器 | Transmisor de presión | 圧力発信器
SEN-LVL | sensors | piece | 0–5 m, 4–20 mA | Analítica Sur | 12 | 1 | 3 | 265 | Level transmitter | 液位变送器 | Transmisor de nivel | 水位発信器
SEN-VIB | sensors | piece | 0–20 mm/s | Analítica Sur | 14 | 1 | 3 | 178 | Vibration sensor | 振动传感器 | Sensor de vibración | 振動センサー
SEN-PT | sensors | piece | Pt100, 3-wire | Analítica Sur | 6 | 3 | 8 | 34 | Temperature sensor Pt100 | Pt100 温度传感器 | Sonda Pt100 | 測温抵抗体 Pt100
GSK-CR | cooling | m | 40 mm, silicone | Friomar | 6 | 5 | 20 | 8.3 | Cold room door gasket | 冷库门密封条 | Burlete de cámara | 冷蔵室扉パッキン
HTR-CR | cooling | m | 40 W/m | Friomar | 9 | 2 | 10 | 12 | Door frame heater | 门框加热丝 | Resistencia de marco | 扉枠ヒーター
FAN-EV | cooling | piece | ⌀ 350 mm | Friomar | 12 | 1 | 3 | 156 | Evaporator fan | 蒸发器风机 | Ventilador de evaporador | 蒸発器ファン
FLT-DR | cooling | piece | 5/8" | Friomar | 7 | 2 | 4 | 29 | Filter drier | 干燥过滤器 | Filtro deshidratador | フィルタードライヤー
GAS-449 | cooling | kg | R-449A | Friomar | 5 | 5 | 20 | 46 | Refrigerant | 制冷剂 | Refrigerante | 冷媒
VAL-DN50 | fittings | piece | DN 50, PN 16 | Valvulera Levante | 6 | 2 | 6 | 61 | Ball valve DN 50 | 球阀 DN 50 | Válvula de bola DN 50 | ボール弁 DN 50
VAL-CHK | fittings | piece | DN 150, PN 16 | Valvulera Levante | 20 | 1 | 2 | 298 | Check valve DN 150 | 止回阀 DN 150 | Válvula antirretorno DN 150 | 逆止弁 DN 150
ACT-BW | fittings | piece | 230 V, 90 s | Valvulera Levante | 20 | 1 | 2 | 372 | Valve actuator, backwash | 反冲洗阀执行器 | Actuador de lavado | 逆洗弁アクチュエータ
NOZ-FL | fittings | piece | PP, 0.2 mm | Valvulera Levante | 10 | 20 | 80 | 2.4 | Filter nozzle | 滤头 | Boquilla de filtro | ろ過ノズル
GRS-EP2 | supplies | kg | NLGI 2, EP | Lubrisur | 3 | 5 | 20 | 11.2 | Bearing grease | 轴承润滑脂 | Grasa para rodamientos | 軸受グリース
OIL-VG68 | supplies | L | ISO VG 68 | Lubrisur | 3 | 20 | 60 | 6.4 | Gear oil | 齿轮油 | Aceite de engranajes | ギヤ油
CLN-CIT | supplies | kg | 50 % | Química Norte | 3 | 5 | 25 | 3.1 | Citric acid cleaner | 柠檬酸清洗剂 | Limpiador de ácido cítrico | クエン酸洗浄剤
GLV-NIT | supplies | set | 100, size 9 | Lubrisur | 2 | 4 | 12 | 9.8 | Nitrile gloves | 丁腈手套 | Guantes de nitrilo | ニトリル手袋
RAG-BOX | supplies | kg | Cotton | Lubrisur | 2 | 10 | 40 | 1.9 | Cleaning rags | 擦机布 | Trapos de limpieza | ウエス
`
export const parts = table
  .trim()
  .split('\n')
  .map((line) => {
    const [no = '', category = '', unit = '', spec = '', supplier = '', lead, min, max, price, en = '', zh = '', es = '', ja = ''] =
      line.split(' | ')
    return {
      ...{ no, category: categories[category]!, unit: units[unit]!, spec, supplier },
      ...{ lead: Number(lead), min: Number(min), max: Number(max), price: Number(price), name: say(en, zh, es, ja) },
    }
  })

export const places = [
  {
    name: say('Main store', '主库房', 'Almacén central', '主倉庫'),
    remark: say('Beside the pump station', '泵站旁', 'Junto a la estación de bombeo', 'ポンプ場の隣'),
  },
  {
    name: say('Workshop', '维修间', 'Taller', '整備場'),
    remark: say('Shelf of wear parts', '易损件货架', 'Estantería de repuestos de desgaste', '消耗部品の棚'),
  },
  {
    name: say('Service van', '抢修车', 'Furgoneta', 'サービスカー'),
    remark: say('First aid for the network', '管网抢修', 'Primeros auxilios de la red', '管網の応急修理用'),
  },
]
