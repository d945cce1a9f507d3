// SNMP agents: UPS of RFC 1628, hosts of RFC 2790. An address is the object identifier with its instance.
import { counter, fixed, type LibraryModel, type LibraryPoint, state, type, whole } from './sketch.ts'

type Entry = [key: string, oid: string, name: string, unit: string | null, more?: Partial<LibraryPoint>]
const under = (root: string, entries: readonly Entry[]): LibraryPoint[] =>
  entries.map(([ParaKey, oid, ParaName, ParaUnitName, more]) => ({
    ...{ ParaKey, ParaName, ParaUnitName, Address: `${root}.${oid}`, SlaveNumber: '{unit}', ParaDataType: type.int32, ...whole },
    ...more,
  }))
/** A table row for each of three lines. */
const lines = (of: (line: number) => Entry[]) => [1, 2, 3].flatMap(of)

const tenths = (high: number) => fixed(0, high, 10)
const ups = under('1.3.6.1.2.1.33.1', [
  ['upsBatteryStatus', '2.1.0', 'Battery status', null, { ...state, Code: 'state.code' }],
  ['upsSecondsOnBattery', '2.2.0', 'Time on battery', 's'],
  ['upsEstimatedMinutesRemaining', '2.3.0', 'Estimated runtime', 'min', { Code: 'battery.runtime' }],
  ['upsEstimatedChargeRemaining', '2.4.0', 'Battery charge', '%', { Code: 'battery.soc' }],
  ['upsBatteryVoltage', '2.5.0', 'Battery voltage', 'V', { ...tenths(1000), Code: 'battery.voltage' }],
  ['upsBatteryCurrent', '2.6.0', 'Battery current', 'A', fixed(-1000, 1000, 10)],
  ['upsBatteryTemperature', '2.7.0', 'Battery temperature', '°C', { Code: 'temperature.battery' }],
  ['upsInputLineBads', '3.1.0', 'Input faults', null, { ...counter, ParaDataType: type.uint32 }],
  ['upsInputNumLines', '3.2.0', 'Input lines', null, state],
  ...lines((n) => [
    [`upsInputFrequency${n}`, `3.3.1.2.${n}`, `Input ${n} frequency`, 'Hz', tenths(100)],
    [`upsInputVoltage${n}`, `3.3.1.3.${n}`, `Input ${n} voltage`, 'V', { Code: `voltage.l${n}` }],
    [`upsInputCurrent${n}`, `3.3.1.4.${n}`, `Input ${n} current`, 'A', tenths(1000)],
    [`upsInputTruePower${n}`, `3.3.1.5.${n}`, `Input ${n} power`, 'W'],
  ]),
  ['upsOutputSource', '4.1.0', 'Output source', null, state],
  ['upsOutputFrequency', '4.2.0', 'Output frequency', 'Hz', { ...tenths(100), Code: 'frequency.output' }],
  ['upsOutputNumLines', '4.3.0', 'Output lines', null, state],
  ...lines((n) => [
    [`upsOutputVoltage${n}`, `4.4.1.2.${n}`, `Output ${n} voltage`, 'V'],
    [`upsOutputCurrent${n}`, `4.4.1.3.${n}`, `Output ${n} current`, 'A', tenths(1000)],
    [`upsOutputPower${n}`, `4.4.1.4.${n}`, `Output ${n} power`, 'W'],
    [`upsOutputPercentLoad${n}`, `4.4.1.5.${n}`, `Output ${n} load`, '%', { Code: 'load.percent' }],
  ]),
  ['upsBypassFrequency', '5.1.0', 'Bypass frequency', 'Hz', tenths(100)],
  ...lines((n) => [[`upsBypassVoltage${n}`, `5.3.1.2.${n}`, `Bypass ${n} voltage`, 'V']]),
  ['upsAlarmsPresent', '6.1.0', 'Active alarms', null, { ...state, ParaDataType: type.uint32 }],
  ['upsConfigOutputVA', '9.5.0', 'Rated apparent power', 'VA', state],
  ['upsConfigOutputPower', '9.6.0', 'Rated power', 'W', state],
  ['upsConfigLowBattTime', '9.7.0', 'Low battery warning time', 'min', state],
])

const unsigned = { ParaDataType: type.uint32 }
const host = under('1.3.6.1.2.1.25', [
  ['hrSystemUptime', '1.1.0', 'Uptime', 's', { ...fixed(0, 42_949_672, 100), ...unsigned, Code: 'uptime' }],
  ['hrSystemNumUsers', '1.5.0', 'Users', null, unsigned],
  ['hrSystemProcesses', '1.6.0', 'Processes', null, unsigned],
  ['hrSystemMaxProcesses', '1.7.0', 'Maximum processes', null, state],
  ['hrMemorySize', '2.2.0', 'Memory size', 'KB', state],
  ['hrStorageUnitsMemory', '2.3.1.4.{memory}', 'Memory allocation unit', 'B', state],
  ['hrStorageSizeMemory', '2.3.1.5.{memory}', 'Memory units', null, state],
  ['hrStorageUsedMemory', '2.3.1.6.{memory}', 'Memory units used', null],
  ['hrStorageUnitsDisk', '2.3.1.4.{disk}', 'Disk allocation unit', 'B', state],
  ['hrStorageSizeDisk', '2.3.1.5.{disk}', 'Disk units', null, state],
  ['hrStorageUsedDisk', '2.3.1.6.{disk}', 'Disk units used', null],
  ['hrStorageFailuresDisk', '2.3.1.7.{disk}', 'Disk allocation failures', null, { ...counter, ...unsigned }],
  ['hrProcessorLoad', '3.3.1.2.{cpu}', 'Processor load', '%', { Code: 'cpu.load' }],
  ['hrDeviceStatus', '3.2.1.5.{cpu}', 'Processor status', null, { ...state, Code: 'state.code' }],
  ['hrDeviceErrors', '3.2.1.6.{cpu}', 'Processor errors', null, { ...counter, ...unsigned }],
])

export const snmpModels: readonly LibraryModel[] = [
  {
    ...{ Key: 'ups-rfc1628', Protocol: 100, ModelName: 'UPS, three lines', ModelNo: 'RFC 1628', Parameters: null, Points: ups },
    Remark: 'UPS-MIB. Delete lines 2 and 3 in your copy for a single-phase UPS.',
  },
  {
    ...{ Key: 'host-rfc2790', Protocol: 100, ModelName: 'Host', ModelNo: 'RFC 2790', Points: host },
    Parameters: 'memory=1 Index of memory in hrStorageTable;disk=31 Index of a disk;cpu=196608 Index of a processor in hrDeviceTable',
    Remark: 'HOST-RESOURCES-MIB. The indexes are those of Net-SNMP on Linux; other agents number differently.',
  },
]
