/** Put in its place by the build (antdRules.config.ts). */
declare const antdRules: string

// In front of all other styles, where antd writes the rules that are not among these.
const sheet = document.createElement('style')
sheet.textContent = antdRules
document.head.prepend(sheet)

export {}
