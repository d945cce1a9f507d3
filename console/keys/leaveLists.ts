// In an open list of several choices, Tab would choose; in a range of dates it would go nowhere. Here it leaves, as it does everywhere else.

const holding = '.ant-select-multiple.ant-select-open, .ant-picker-range'

/** Before the component hears the key; the browser moves the focus, and the list closes. */
export const leaveLists = () =>
  addEventListener(
    'keydown',
    (event) => event.key === 'Tab' && (event.target as Element).closest?.(holding) && event.stopPropagation(),
    true,
  )
