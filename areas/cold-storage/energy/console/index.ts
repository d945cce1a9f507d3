import { list } from '../../../../console/kernel/plainScreens.ts'
import { coldCircuit } from '../contract.ts'

/** Circuits of a room, as a tab of its page. */
export const coldCircuits = list(coldCircuit, ['EnergyInfoId', 'Use'])
