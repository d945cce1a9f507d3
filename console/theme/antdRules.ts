/** Replaced by the build (antdRules.config.ts). */
declare const antdRules: string

// Before all other styles: antd inserts further rules there.
const sheet = document.createElement('style')
sheet.textContent = antdRules
document.head.prepend(sheet)

export {}
