// Prism would colour the whole page by itself when it loads.
(globalThis as { Prism?: object }).Prism = { manual: true, disableWorkerMessageHandler: true };
