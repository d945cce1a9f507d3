// Lets Tab leave open multi-selects, where it would select, and date ranges, where it would have no effect.

const holding = '.ant-select-multiple.ant-select-open, .ant-picker-range'

/** Runs before the component's own handler. The browser then moves the focus, and the list closes. */
export const leaveLists = () =>
  addEventListener(
    'keydown',
    (event) => event.key === 'Tab' && (event.target as Element).closest?.(holding) && event.stopPropagation(),
    true,
  )
