import { LogicOP } from '../../../../contract/call.ts'
import { word } from '../../../../server/http/words.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { alarmsIn } from '../../../alarms/alarms/server/service.ts'
import type { Part } from '../blocks.ts'
import { type Making, minuteText } from './making.ts'
import { most } from './parts.ts'

/** Alarms of the report's devices that began in its period, the newest first. */
export const alarmPart = async (making: Making, Title: string): Promise<Part> => {
  const { db, actor, language, zone, span, points } = making
  const devices = [...new Set(points.map((p) => p.DeviceId))]
  const at = (time: number) => `${minuteText(time, zone)}:00`
  const listing = readListing({
    ...{ PageSize: Math.min(1000, most.rows), OrderColumn: 'StartTime', OrderType: 'desc' },
    QueryInfo: {
      RelOP: 1,
      QueryConditions: [
        { Field: 'StartTime', Value: at(span.start), LogicOP: LogicOP.dateFrom },
        { Field: 'StartTime', Value: at(span.end - 1), LogicOP: LogicOP.dateTo },
        { Field: 'DeviceId', Value: devices.join(), LogicOP: LogicOP.oneOf },
      ],
    },
  })
  // Users without permission to read alarms get a report without them.
  const isAllowed = actor.may.has(alarmInfo.permission)
  const { Items, TotalCount } = isAllowed ? await alarmsIn(language).list(db, { ...actor, zone }, listing) : { Items: [], TotalCount: 0 }
  const nameOf = new Map(points.map((p) => [p.DeviceId, p.DeviceName]))
  const t = (key: string) => word(language, key)
  return {
    ...{ Is: 'table', Title, More: Math.max(0, TotalCount - Items.length) },
    Columns: [
      'alarmInfo.StartTime',
      'alarmInfo.AlarmLevel',
      'alarmInfo.DeviceId',
      'alarmInfo.RuleName',
      'alarmInfo.AlarmDesc',
      'alarmInfo.RecoverTime',
    ].map((key) => ({
      ...{ Title: t(key), Is: 'text' as const },
    })),
    Rows: Items.map((a) => [
      a.StartTime,
      t(`alarmInfo.AlarmLevel.${a.AlarmLevel}`),
      nameOf.get(a.DeviceId ?? 0) ?? '',
      a.RuleName ?? '',
      a.AlarmDesc ?? '',
      a.RecoverTime ?? '',
    ]),
  }
}
