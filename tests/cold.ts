// A cold room with a sensor and its calibration, made through the front door, and an excursion that somebody decided about and no reading shows.
import { sql } from 'kysely'
import type { Db } from '../server/database/db.ts'

type Make = (path: string, draft: object) => Promise<{ Id: number }>

export const addColdRoom = async (
  make: Make,
  db: Db,
  { name, project, point, SN }: { name: string; project: number; point: number; SN: string },
) => {
  const { Id } = await make('/ColdStorage/InfoPC', { StorageName: `${name} room`, ProjectId: project, TempLow: -50, TempHigh: 50 })
  await make('/ColdStorage/Init', { Id, SN, Sensors: [] })
  const Sensors = [{ ParaId: point, SensorType: 1, SensorName: `${name} sensor`, ProductSN: `${name} label`.slice(0, 40) }]
  await make('/ColdStorage/Init', { Id, SN, Sensors, BindTime: '2026-01-01 00:00:00' })
  const { Items } = (await make('/ColdStorage/Sensor/List', { ColdStorageId: Id })) as unknown as { Items: { Id: number }[] }
  const calibration = await make('/ColdStorage/Calibration', {
    ...{
      SensorBindId: Items[0]!.Id,
      CalibDate: '2026-01-01',
      CalibDue: '2027-01-01',
      CalibOffset: 0.1,
      CertificateNo: `${name} certificate`,
    },
  })
  const [excursion] = await db.rows<{ Id: number }>(sql`
    insert into cold_excursion ("EnterpriseId", "ColdStorageId", "SensorBindId", "SensorType", "Side", "BeginTime", "EndTime", "KnownTime", "Ended", "Minutes", "PeakValue",
      "PeakTime", "LimitValue", "DegreeMinutes", "Mkt", "Disposition", "Cause", "IsChanged", "IsVoid")
    select "EnterpriseId", "ColdStorageId", "Id", 1, 1, "BindTime", "BindTime" + interval '10 minutes', "BindTime" + interval '10 minutes', 1, 10, 59, "BindTime", 50, 90, 59, 1,
      ${`${name} cause`}, 1, 1 from cold_sensor_bind where "Id" = ${Items[0]!.Id} returning "Id"`)
  // A day of March that has no readings: the report says so.
  const at = (hour: number) => Date.UTC(2026, 2, 2, hour)
  const kind = { CheckKind: 1, LoadState: 0, Season: 1, Purpose: `${name} purpose` }
  const report = (await make('/ColdStorage/GenerateReportCheck', { ColdStorageId: Id, Start: at(0), End: at(6), ...kind })) as {
    Id: number
    CriteriaId?: number
  }
  const circuit = await make('/Energy/Info', { EnergyName: `${name} cold`, EnergyCode: `C.${SN}`, ProjectId: project, Source: 2 })
  const bound = await make('/ColdStorage/Circuit', { ColdStorageId: Id, EnergyInfoId: circuit.Id, Use: 1 })
  return {
    coldCircuit: bound.Id,
    ...{ coldReport: report.Id, coldCriteria: report.CriteriaId! },
    coldExcursion: excursion!.Id,
    coldStorage: Id,
    coldSensorBind: Items[0]!.Id,
    coldCalibration: calibration.Id,
  }
}
