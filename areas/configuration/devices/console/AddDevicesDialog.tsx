/** The button above the list of devices. */
export { default } from './AddDevices.tsx'
