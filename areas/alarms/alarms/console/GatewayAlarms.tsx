import { AlarmsPage } from './AlarmScreen.tsx'

/** Gateway alarms only. */
const GatewayAlarms = () => <AlarmsPage title="menu.m10207" type={2} />
export default GatewayAlarms
