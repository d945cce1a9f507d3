import { AlarmsPage } from './AlarmScreen.tsx'

/** Alarms of gateways alone. */
const GatewayAlarms = () => <AlarmsPage title="menu.m10207" type={2} />
export default GatewayAlarms
