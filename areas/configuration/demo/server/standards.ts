/** Standard parameters of the demo's points, by device and name: screens of doors and of climate find them by these. */
export const standards: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Cold room': {
    'Air temperature': 'temperature.coldroom',
    'Evaporator temperature': 'temperature.evaporator',
    'Condenser temperature': 'temperature.condenser',
    'Air humidity': 'humidity',
    'Door open': 'state.door',
    'Temperature set point': 'temperature.setpoint',
  },
  'Weather station': { 'Air temperature': 'temperature.ambient', 'Air humidity': 'humidity' },
}
