// Findings and solutions of the demo company's technicians, by the alarm's point.
import { say, type Words } from './words.ts'

export type Repair = {
  points: RegExp
  /** Cause of domain: 1 wear, 2 operation, 3 assembly, 4 material, 5 power or network, 6 outside, 7 unknown. */
  cause: number
  done: Words
  solution: Words
  parts: readonly (readonly [no: string, qty: number])[]
  /** Maximum downtime, h. */
  stop: number
  labour: number
}

/** The first entry with a matching point applies. */
export const repairs: readonly Repair[] = [
  {
    points: /tripped/,
    cause: 5,
    done: say(
      'Motor protection had tripped, shaft turns freely.',
      '电机保护动作，盘车灵活。',
      'Saltó el térmico; el eje gira libre.',
      'モータ保護が動作。軸は手で回る。',
    ),
    solution: say(
      'Contacts of the contactor burnt: contactor replaced, terminals tightened, current measured.',
      '接触器触点烧蚀：更换接触器，紧固端子，测量电流。',
      'Contactos quemados: contactor sustituido, bornes apretados, corriente medida.',
      '接触器の接点焼損。交換し、端子を増し締め、電流を測定。',
    ),
    parts: [
      ['CNT-D40', 1],
      ['FUS-100', 3],
    ],
    stop: 3,
    labour: 2.5,
  },
  {
    points: /bearing|vibration/,
    cause: 1,
    done: say(
      'Bearing hot and loud at the drive end.',
      '驱动端轴承发热、有异响。',
      'Rodamiento caliente y ruidoso en el lado acople.',
      '負荷側軸受に発熱と異音。',
    ),
    solution: say(
      'Bearing replaced and greased, coupling aligned to 0.05 mm, vibration 1.9 mm/s after the run-in.',
      '更换并润滑轴承，联轴器找正至 0.05 mm，试车后振动 1.9 mm/s。',
      'Rodamiento cambiado y engrasado, acoplamiento alineado a 0,05 mm, vibración 1,9 mm/s tras el rodaje.',
      '軸受を交換・給脂し、芯出し 0.05 mm。試運転後の振動 1.9 mm/s。',
    ),
    parts: [
      ['BRG-6309', 1],
      ['GRS-EP2', 0.4],
    ],
    stop: 6,
    labour: 5,
  },
  {
    points: /chlorine gas/,
    cause: 3,
    done: say(
      'Smell of chlorine at the hose connection.',
      '软管接头处有氯味。',
      'Olor a cloro en la conexión del tubo.',
      'チューブ接続部で塩素臭。',
    ),
    solution: say(
      'Hose cut back and fitted again, connection leak-tested, room aired.',
      '剪短软管重新连接，检漏合格，房间通风。',
      'Tubo recortado y montado de nuevo, estanqueidad comprobada, sala ventilada.',
      'チューブを切り詰めて再接続。漏れなしを確認し、換気。',
    ),
    parts: [['TUB-PE8', 1]],
    stop: 1,
    labour: 1.5,
  },
  {
    points: /airlock|chlorine|Dosing|Hypochlorite/,
    cause: 1,
    done: say(
      'Dosing pump strokes but does not deliver.',
      '计量泵动作但不出液。',
      'La dosificadora embola pero no impulsa.',
      '薬注ポンプが空打ち。',
    ),
    solution: say(
      'Valves cleaned of crystals and replaced, pump vented, residual back at 0.5 mg/L.',
      '清除阀内结晶并更换阀组，排气，余氯恢复 0.5 mg/L。',
      'Válvulas limpias de cristales y sustituidas, bomba purgada, residual de nuevo en 0,5 mg/L.',
      '弁の結晶を除去して交換、エア抜き。残塩 0.5 mg/L に復帰。',
    ),
    parts: [['VLV-LD', 1]],
    stop: 2,
    labour: 2,
  },
  {
    points: /UV|Lamp|Ballast/,
    cause: 1,
    done: say(
      'Two lamps of the same ballast are dark.',
      '同一镇流器的两支灯管不亮。',
      'Dos lámparas del mismo balasto apagadas.',
      '同じ安定器のランプ 2 本が消灯。',
    ),
    solution: say(
      'Lamps replaced, sleeves wiped, hours reset; intensity above 180 W/m².',
      '更换灯管，擦净套管，计时清零；强度高于 180 W/m²。',
      'Lámparas cambiadas, fundas limpias, horas a cero; intensidad superior a 180 W/m².',
      'ランプ交換、スリーブ清掃、時間リセット。強度 180 W/m² 以上。',
    ),
    parts: [['LMP-UV', 2]],
    stop: 2,
    labour: 1.5,
  },
  {
    points: /Door|temperature|Discharge pressure/,
    cause: 2,
    done: say(
      'Door did not close by itself, ice at the frame.',
      '门不能自闭，门框结冰。',
      'La puerta no cerraba sola; hielo en el marco.',
      '扉が自然に閉まらず、枠に着氷。',
    ),
    solution: say(
      'Gasket replaced, hinge set, frame heater tested; room back at −20 °C.',
      '更换密封条，调整铰链，检测门框加热；库温恢复 −20 °C。',
      'Burlete cambiado, bisagra ajustada, resistencia comprobada; cámara de nuevo a −20 °C.',
      'パッキン交換、蝶番調整、枠ヒーター確認。庫内 −20 °C に復帰。',
    ),
    parts: [['GSK-CR', 2]],
    stop: 0,
    labour: 1.5,
  },
  {
    points: /turbidity/i,
    cause: 6,
    done: say(
      'Reading high, sample of the laboratory lower.',
      '读数偏高，化验样品较低。',
      'Lectura alta; la muestra de laboratorio sale más baja.',
      '指示値が高いが、手分析は低い。',
    ),
    solution: say(
      'Optics cleaned, zero and slope checked against the standard, wiper set.',
      '清洗光学窗，用标准液校零点和斜率，调整刮片。',
      'Óptica limpia, cero y pendiente comprobados con patrón, rascador ajustado.',
      '光学部を清掃、標準液でゼロ・スパンを確認、ワイパー調整。',
    ),
    parts: [['RAG-BOX', 0.5]],
    stop: 0,
    labour: 1,
  },
]

export const orderTexts = {
  waitsForPart: say('Part is on order.', '等待备件到货。', 'Repuesto pedido.', '部品の入荷待ち。'),
  waitsForStop: say('Waits for a stop of the line.', '等待停机窗口。', 'Espera una parada de la línea.', 'ライン停止待ち。'),
  checked: say('Walked by, runs quietly. Good work.', '现场查看，运行平稳。', 'Revisado en campo, marcha suave.', '現地確認、運転は静か。'),
  sentBack: say(
    'Guard of the coupling is not on. Please fit it.',
    '联轴器护罩未装，请装好。',
    'Falta el protector del acoplamiento. Móntalo, por favor.',
    'カップリングカバーが未取付。取り付けてください。',
  ),
  fitted: say('Guard fitted.', '护罩已装。', 'Protector montado.', 'カバー取付済み。'),
  refused: say(
    'On the intake all day, please ask somebody else.',
    '全天在取水口，请另派他人。',
    'Todo el día en la captación; mejor otra persona.',
    '終日取水口のため、他の人に頼んでください。',
  ),
  cancelled: say(
    'Same fault as the order before.',
    '与前一工单为同一故障。',
    'Misma avería que la orden anterior.',
    '前の作業票と同じ故障。',
  ),
}
