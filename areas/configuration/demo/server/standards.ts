const meter = {
  ...{ 'Active power': 'power.active', 'Reactive power': 'power.reactive' },
  ...{ 'Active energy': 'energy.active.import', 'Reactive energy': 'energy.reactive.import' },
}

/** Standard parameters of the demo points, by device and name. Screens for doors, climate and energy find points by them. */
export const standards: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Cold room': {
    'Air temperature': 'temperature.coldroom',
    'Evaporator temperature': 'temperature.evaporator',
    'Condenser temperature': 'temperature.condenser',
    'Air humidity': 'humidity',
    'Door open': 'state.door',
    'Temperature set point': 'temperature.setpoint',
  },
  ...Object.fromEntries(
    ['Main incomer', 'Intake power', 'Delivery power', 'Treatment power', 'Cold store power', 'Building power'].map((of) => [
      `${of} meter`,
      meter,
    ]),
  ),
  'Weather station': { 'Air temperature': 'temperature.ambient', 'Air humidity': 'humidity' },
}
