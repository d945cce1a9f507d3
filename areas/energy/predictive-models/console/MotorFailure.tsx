import { motorHealth } from '../contract.ts'
import { Machines } from './Machines.tsx'

const MotorFailure = () => <Machines code="m10717" type={motorHealth} />
export default MotorFailure
