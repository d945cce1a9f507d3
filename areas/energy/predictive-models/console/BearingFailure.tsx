import { bearingHealth } from '../contract.ts'
import { Machines } from './Machines.tsx'
import { Waveform } from './Waveform.tsx'

const BearingFailure = () => (
  <Machines code="m10718" type={bearingHealth}>
    <Waveform />
  </Machines>
)
export default BearingFailure
