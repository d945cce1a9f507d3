export { addressCheck, addressesOn, faultOf, protocolColumn, protocolsOf } from './addresses.ts'
export { deviceCheck } from './devices.ts'
export { dropUnusedSecrets, openSecrets } from './secrets.ts'
export { assertSwitchedOn, switchedOff } from './switched.ts'
